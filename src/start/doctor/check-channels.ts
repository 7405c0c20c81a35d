import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { botModerates, describeOnboarding, type OnboardingStage } from "../../moderation/channel-links.ts";
import { cutText } from "../../text/message-text.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { capitalize } from "../../text/capitalize.ts";

/** Maximum number of channels that are checked individually; the others are reported from their last known state. */
const maxAsked = 10;

interface LinkRow {
  channel_id: string;
  suspended_reason: string | null;
  bot_role_lost_at_ms: number | null;
  onboarding_stage: OnboardingStage | null;
  onboarding_error: string | null;
}

/** Whether the bot moderates each channel that a server is linked to. */
export async function checkChannels(
  context: Pick<BotContext, "database" | "network" | "botFid">,
): Promise<Finding[]> {
  const links: LinkRow[] = await context.database.query
    .selectFrom("castellan.links")
    .distinctOn("channel_id")
    .select(["channel_id", "suspended_reason", "bot_role_lost_at_ms", "onboarding_stage", "onboarding_error"])
    .orderBy("channel_id")
    // Of several servers, prefer one whose link works.
    .orderBy("suspended_at_ms", (order) => order.desc().nullsFirst())
    .execute();
  if (links.length === 0) {
    return [ok("Channels", "none is linked yet: somebody with Manage Server runs /setup link")];
  }
  return Promise.all(links.map((link, index) => checkChannel(context, link, index < maxAsked)));
}

async function checkChannel(
  context: Pick<BotContext, "network" | "botFid">,
  link: LinkRow,
  isAsked: boolean,
): Promise<Finding> {
  const part = `Channel /${link.channel_id}`;
  const { botFid } = context;
  if (link.suspended_reason !== null) {
    return wrong(
      part,
      `is suspended: ${link.suspended_reason}`,
      "/setup link renews it, /setup unlink ends it.",
    );
  }
  const doesNot = `Castellan (fid ${botFid}) does not moderate it.`;
  const fix = capitalize(describeOnboarding(botFid, link.onboarding_stage, link.onboarding_error, cutText));
  if (!isAsked) {
    return link.bot_role_lost_at_ms === null
      ? ok(part, "moderates it, when last seen")
      : wrong(part, doesNot, fix);
  }
  try {
    const { channel } = await context.network.channels.get({ channelId: link.channel_id });
    return botModerates(botFid, channel) ? ok(part, "Castellan moderates it") : wrong(part, doesNot, fix);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known.code === "not_found") {
      return wrong(part, "The network no longer knows this channel.", "/setup unlink ends its link.");
    }
    return unknown(part, `could not be checked: ${known.message}`);
  }
}

import { z } from "zod";
import { seconds } from "../../src/clock.ts";
import type { Channel } from "../../src/contract/channels.ts";
import { confirm, integer, oneOf, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import { readAgain } from "../../src/moderation/bulks/find-casts.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import { withNames, type User } from "../../src/observe/people.ts";
import { rehearse } from "../../src/rules/rehearse/rehearse.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, inlineCode } from "../../src/text/message-text.ts";
import { carryOutBulk, describeSamples } from "../shared/bulk.ts";
import { carryOutBans, planBans } from "../ban/plan-bans.ts";
import { askOrConfirm, chooseLength } from "../shared/ban-question.ts";
import { banLengthOption, channelOption, chooseChannel, reasonOption } from "../shared/options.ts";
import { requireReadable, requireRule, ruleOption } from "./rule-arguments.ts";
import { textView } from "../../src/discord/view.ts";

/** Time limit for rehearsing a rule, in milliseconds. */
const timeoutMs = 5 * 60_000;

const maxReason = 500;

const SweepRequest = z.object({
  channelId: z.string(),
  rule: z.string(),
  hashes: z.array(z.string()),
  fids: z.array(z.int()),
  reason: z.string().optional(),
  /** Of a ban; permanent if absent. */
  forSeconds: z.int().optional(),
});
type SweepRequest = z.infer<typeof SweepRequest>;

/** Carries out what a rehearsal found: a rule's past matches, as a person's own bulk. */
export const sweepRule = confirm({
  description: "Apply a rule to the past: hide every cast that matches, or ban the authors",
  needs: { all: ["rules", "hide"] },
  options: {
    rule: { ...ruleOption, required: true },
    action: oneOf(["hide", "ban"], { description: "Hide these casts (default), or ban their authors" }),
    days: integer({ description: "How many days back; 7 if left out", min: 1, max: 365 }),
    duration: banLengthOption("For a ban: how long, such as 6h, 7d or permanent; asked if left out"),
    reason: reasonOption("Why; shown in the cases", { maxLength: maxReason }),
    channel: channelOption,
  },
  confirmLabel: "Do it",
  state: SweepRequest,
  async preview(context, { rule: typed = "", action = "hide", days = 7, duration, reason, channel: given }) {
    if (duration !== undefined && action !== "ban")
      throw new AppError("invalid_input", "A duration is only for action:ban.");
    const channelId = await chooseChannel(context, given);
    const { channel } = await authorizeAction(context, context.actor, channelId, "rules", action);
    const { id: rule, mode } = requireRule(await requireReadable(context), typed);
    if (mode === "off")
      throw new AppError("invalid_input", `${inlineCode(rule, 40)} is off: /rule mode turns it to shadow.`);
    const { hits, done } = await findHits(context, channelId, rule, days);
    const visible = await readAgain(context.database.query, { channelId, hidden: false }, hits);
    const casts = visible.slice(0, maxTargets);
    const authors = [...new Set(visible.map(({ fid }) => fid))];
    const lines = [
      `Rule ${inlineCode(rule, 40)} matches ${amount(hits.length, "cast")} of the last ${amount(days, "day")} in /${channelId}; ${visible.length} of them are still visible, by ${amount(authors.length, "author")}.`,
      ...(done < 1
        ? [
            `⚠️ Only the latest ${Math.floor(done * 100)} % of that time was examined, because there is too much for one run.`,
          ]
        : []),
    ];
    if (action === "ban") {
      const users = await withNames(context.database.query, authors);
      lines.push(...(await describeSamples(context, casts)));
      return previewBans(context, { channel, rule, days, duration, reason, users, lines });
    }
    lines.push(
      ...(casts.length < visible.length
        ? [`One bulk takes at most ${maxTargets}, so ${visible.length - casts.length} stay.`]
        : []),
      ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
      ...(await describeSamples(context, casts)),
      casts.length === 0 ? "Nothing to do." : ownDoing,
    );
    if (casts.length === 0)
      return { view: textView("plain", lines, { title: `Nothing matches ${escapeText(rule, 40)}` }) };
    const view = textView("warning", lines, {
      title: `Hide these ${amount(casts.length, "cast")} in /${channelId}?`,
    });
    return { view, state: { channelId, rule, hashes: casts.map(({ hash }) => hash), fids: [], reason } };
  },
  async act(context, { channelId, rule, hashes, fids, reason, forSeconds }) {
    const kind = hashes.length > 0 ? ("hide" as const) : ("ban" as const);
    const { by } = await authorizeAction(context, context.actor, channelId, "rules", kind);
    const asked = { channelId, kind, selection: `what rule ${rule} matches`, by, reason };
    if (kind === "ban") return carryOutBans(context, { ...asked, fids, forSeconds }, by);
    const casts = await readAgain(context.database.query, { channelId, hidden: false }, hashes);
    if (casts.length === 0) throw new AppError("invalid_input", "All of them are already hidden or removed.");
    return carryOutBulk(
      context,
      asked,
      casts.map((cast) => ({ kind, targetCast: cast.hash, evidence: cast.body })),
    );
  },
});

const ownDoing =
  "The rule's own limits do not apply, because you are doing this yourself. </undo> undoes it.";

interface AuthorsToBan {
  channel: Channel;
  rule: string;
  days: number;
  duration: number | null | undefined;
  reason: string | undefined;
  users: readonly User[];
  /** What the rule found. */
  lines: readonly string[];
}

async function previewBans(
  context: CommandContext,
  { channel, rule, days, duration, reason, users, lines: matched }: AuthorsToBan,
): Promise<Preview<SweepRequest>> {
  const saved = await listSavedReasons(context.database.query, context.actor.guildId);
  const forSeconds = chooseLength(duration, reason, saved);
  const plan = await planBans(context, users, { channel, forSeconds, reason });
  const fids = plan.found.slice(0, maxTargets).map(({ fid }) => fid);
  if (fids.length === 0) {
    return { view: textView("plain", [...matched, ...plan.leftOut], { title: "Nobody to ban" }) };
  }
  const later =
    fids.length < plan.found.length
      ? [`One bulk takes at most ${maxTargets}, so ${plan.found.length - fids.length} are left for another.`]
      : [];
  const title = `Ban these ${amount(fids.length, "author")} from /${channel.id}?`;
  const raw = { rule, action: "ban", days, channel: channel.id };
  const stateFor = (chosen: number | null) => {
    return { channelId: channel.id, rule, hashes: [], fids, reason, forSeconds: chosen ?? undefined };
  };
  return {
    view: textView("warning", [...matched, ...later, ...plan.lines, ownDoing], { title }),
    question: askOrConfirm({ raw, reason, maxReason, saved, stateFor }, forSeconds, "Ban them"),
  };
}

/** The casts that a rule in force matches, newest first. */
async function findHits(context: CommandContext, channelId: string, rule: string, days: number) {
  const { guildId, userId } = context.actor;
  const { ruleSet } = await requireReadable(context);
  const hits = new Set<string>();
  const { done } = await rehearse(context, {
    queue: `user ${userId}`,
    guildId,
    channelIds: [channelId],
    since: seconds(context.clock) - days * 86_400,
    before: undefined,
    after: ruleSet,
    timeoutMs,
    onHit(ruleId, { event }) {
      if (ruleId === rule && event.kind === "cast.created") hits.add(event.data.castHash);
    },
  });
  return { hits: [...hits], done };
}

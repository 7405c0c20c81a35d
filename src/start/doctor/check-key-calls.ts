import type { BotContext } from "../../bot-context.ts";
import type { Config } from "../../config.ts";
import { AppError, asAppError } from "../../errors.ts";
import { readKeyRow, shortenKey } from "../../observe/live/bot-key.ts";
import { hostOf } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { showMoment } from "../../text/since.ts";

type Data = Pick<BotContext, "database" | "network" | "botFid">;

/** Maximum number of channels that are checked for a follow by the bot. */
const maxChannels = 3;
const refused =
  "Check the key's state on the hub above. If it is active there, check that BOT_FID is the fid it was approved for and that the clock is right, and contact the client API's operator. A new key would cost money and may also be refused.";

/**
 * Whether the client API accepts the key. No documented read requires a key, so doctor follows a channel that the bot
 * already follows, which changes nothing. Otherwise it uses the result of the bot's latest call.
 */
export async function checkKeyCalls(
  { CLIENT_API_URL }: Pick<Config, "CLIENT_API_URL">,
  name: string,
  data: Data | undefined,
  triesKey: boolean,
): Promise<Finding> {
  const part = `Key ${shortenKey(name)}`;
  const host = hostOf(CLIENT_API_URL);
  const refusedBy = (words: string) => wrong(part, `is refused by ${host}: ${words}`, refused);
  if (!data)
    return unknown(part, `It is unknown whether ${host} accepts it, because no call has used it yet.`);
  const tried = triesKey ? await tryKey(data) : undefined;
  if (tried === "accepted") return ok(part, `acts as fid ${data.botFid} at ${host}`);
  if (asAppError(tried)?.status === 401) return refusedBy(asAppError(tried)?.message ?? "");
  const row = await readKeyRow(data, name);
  if (row?.refused_at_ms) {
    return refusedBy(`since ${showMoment(row.refused_at_ms)}, ${row.refusal ?? "without a reason"}`);
  }
  if (row?.accepted_at_ms) {
    return ok(part, `acted as fid ${data.botFid} at ${host}, last on ${showMoment(row.accepted_at_ms)}`);
  }
  const untried = triesKey
    ? "Castellan follows no linked channel yet."
    : "Castellan has made no call with it yet.";
  const why = tried instanceof AppError ? tried.message : untried;
  return unknown(part, `It is unknown whether ${host} accepts it: ${why}`);
}

/** "accepted", the reason why it is unknown, or undefined if there is no channel to test with. */
async function tryKey({ database, network, botFid }: Data): Promise<"accepted" | AppError | undefined> {
  const links = await database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .distinct()
    .where("suspended_at_ms", "is", null)
    .orderBy("channel_id")
    .limit(maxChannels)
    .execute();
  try {
    for (const { channel_id: channelId } of links) {
      const { following } = await network.channelFollows.status({ fid: botFid, channelId });
      if (!following) continue;
      await network.channelFollows.follow({ channelId });
      return "accepted";
    }
    return undefined;
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return known;
  }
}

import type { CommandContext } from "../../src/discord/command-context.ts";
import { lateAfter, type LiveStatus } from "../../src/observe/live/live-status.ts";
import type { PastProgress } from "../../src/observe/hub/past-progress.ts";
import { observeStatus, type SourceStatus } from "../../src/observe/observe-status.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { span } from "./describe-calls.ts";

/** A source that has been silent for this long is late, in milliseconds. */
const late = 90_000;

/** How far these channels have been read, and what is missing. */
export async function describeSources(
  context: CommandContext,
  channels: ReadonlySet<string>,
  calls: LiveStatus | undefined,
): Promise<string> {
  const { sources, gaps, past, setAside } = await observeStatus(context);
  const own = sources.filter(({ channelId }) => channelId === null || channels.has(channelId));
  const lines = own.map((source) => describeSource(source, calls));
  const callsEachSecond = context.settings.hubCallsForPast;
  lines.push(
    ...past.flatMap((each) => (channels.has(each.channelId) ? [describePast(each, callsEachSecond)] : [])),
  );
  if (setAside.count > 0) {
    lines.push(
      `**${amount(setAside.count, "hub event")} could not be read** and were set aside, the latest: ${escapeText(setAside.latest ?? "", 120)}`,
    );
  }
  const gap = gaps[0];
  if (gap) {
    lines.push(
      `**Events may be missing** ${describeTime(gap.from, "f")} to ${describeTime(gap.until, "f")} (${nameSource(gap.source)}).`,
    );
  }
  return lines.join("\n") || "Nothing has been read yet.";
}

function describePast(
  { channelId, isListing, known, left, knownFrom }: PastProgress,
  callsEachSecond: number,
): string {
  if (isListing) return `/${channelId}: older casts are still being indexed.`;
  const time = span(left / callsEachSecond);
  return `/${channelId}: replies to ${known} of ${known + left} older casts are read, to those since ${describeTime(knownFrom, "f")}; at least ${time} to go.`;
}

function describeSource(
  { source, channelId, silentMs, wholeMs, lagSeconds, failingSinceMs, error }: SourceStatus,
  calls: LiveStatus | undefined,
): string {
  const isHub = source.startsWith("hub");
  const name = nameSource(source);
  if (failingSinceMs !== null) {
    return `${name}: **failing** since ${describeTime(failingSinceMs / 1000, "f")}: ${escapeText(error ?? "", 120)}`;
  }
  if (error !== null) return `${name}: **read in part**: ${escapeText(error, 120)}`;
  if (silentMs === null) return `${name}: not read yet`;
  if (silentMs < -late) return `${name}: **last read in the future**: the clock was set back`;
  if (lagSeconds > 0) {
    const lag = `${lagSeconds} s behind`;
    return `${name}: ${lagSeconds * 1000 > late ? `**${lag}**` : lag}`;
  }
  if (silentMs > (calls && !isHub ? lateAfter(calls.plan, source) : late)) {
    return `${name}: **silent for ${Math.round(silentMs / 1000)} s**`;
  }
  if (!calls || isHub) return `${name}: up to date`;
  const whole = wholeMs === null ? "" : `, whole ${span(wholeMs / 1000)} ago`;
  const isBusy = source.startsWith("listings/") && calls.busy.has(channelId ?? "");
  return `${name}: read ${span(silentMs / 1000)} ago${whole}${isBusy ? ", busy" : ""}`;
}

const sourceNames: Record<string, string> = {
  listings: "members, bans and invites",
  records: "hidden casts",
  past: "casts from before the link",
  followers: "followers",
};

/** A source in a moderator's words: "/memes, hidden casts". */
function nameSource(source: string): string {
  const [kind = "", about] = source.split("/");
  if (kind === "hub") return `Casts and names${about === undefined ? "" : ` (shard ${about})`}`;
  const name = sourceNames[kind];
  return name === undefined || about === undefined ? source : `/${about}, ${name}`;
}

import type { Purpose } from "../../src/observe/live/call-limits.ts";
import type { LiveStatus } from "../../src/observe/live/live-status.ts";
import { delaysOf, needsAnotherAccount, type ReadingPlan } from "../../src/observe/live/plan-reading.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";

/** The use of the call budget on the live network, and the delay of news. */
export function describeCalls({ plan, uses, openBreakers }: LiveStatus): string {
  const rests = openBreakers.map(
    ({ upstream, sinceMs, reason }) =>
      `**${nameUpstream(upstream)} is paused**, because it has failed repeatedly since ${describeTime(sinceMs / 1000, "f")}: ${escapeText(reason, 120)}`,
  );
  const waits = uses.flatMap(({ route, restsUntil }) =>
    restsUntil === null
      ? []
      : [`**${route} is paused**. The network accepts calls again ${describeTime(restsUntil / 1000)}`],
  );
  const calls = uses.flatMap((use) => (use.calls === 0 ? [] : [`${use.route} ${use.calls} of ${use.limit}`]));
  const costs = new Map<string, number>();
  for (const { byPurpose } of uses) {
    for (const [purpose, count] of Object.entries(byPurpose)) {
      costs.set(purpose, (costs.get(purpose) ?? 0) + count);
    }
  }
  const byPurpose = [...costs].toSorted(([, one], [, other]) => other - one);
  return [
    ...rests,
    ...waits,
    describeDelays(plan),
    ...(needsAnotherAccount(plan) ? [describeLackOfCalls(plan)] : []),
    calls.length === 0 ? "No calls in the last hour." : `Calls in the last hour: ${calls.join(" · ")}`,
    ...(byPurpose.length === 0
      ? []
      : [`For: ${byPurpose.map(([purpose, count]) => `${nameOf(purpose)} ${count}`).join(" · ")}`]),
  ].join("\n");
}

function describeDelays(plan: ReadingPlan): string {
  const { changes, busy, quiet } = delaysOf(plan);
  if (plan.byEvents) {
    return `One call reads news of all channels within ${span(changes)}. Each channel is read in full every ${span(quiet)}.`;
  }
  return `The network does not offer channel events. Bans, invites and hidden casts show within ${span(changes)}; members and pins within ${span(busy)} in busy channels (${plan.busyChannels} of ${plan.channels}), within ${span(quiet)} in the others.`;
}

/** Not in bold, because nobody in the server can change it. */
function describeLackOfCalls({ channels, whole }: ReadingPlan): string {
  return `Another bot account is due: this one reads each of its ${channels} channels in full only every ${formatDuration(whole)}, so Castellan's operator should move some to a second installation with its own account.`;
}

/** "40 s", "12 min". */
export function span(seconds: number): string {
  return formatDuration(seconds, { minutesFrom: 120, hoursFrom: Infinity, round: Math.ceil });
}

const upstreams: Record<string, string> = { client: "The client API", registry: "The name registry" };

function nameUpstream(upstream: string): string {
  return upstreams[upstream] ?? `The hub ${escapeText(upstream, 100)}`;
}

/** The purpose of a background task's calls; without a task, calls that people wait for. */
const purposes: Record<Purpose | "", string> = {
  "": "people",
  changes: "news of all channels",
  channels: "channels by turns",
  followers: "followers",
  links: "links",
  roles: "becoming moderator",
  rules: "facts for rules",
  acts: "actions of rules, and expired bans",
  visitors: "people without permissions",
  bulks: "bulks",
  notices: "messages about actions",
  doctor: "the check at each start",
};

function nameOf(purpose: string): string {
  // A newer version may have counted others.
  return (purposes as Record<string, string>)[purpose] ?? purpose;
}

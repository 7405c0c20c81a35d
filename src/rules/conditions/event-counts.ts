import { sql } from "kysely";
import { z } from "zod";
import type { EventKind } from "../../observe/events.ts";
import { orMore } from "../comparisons/number-tests.ts";
import type { ConditionKind, ConditionNode, Leaf } from "../evaluate/condition.ts";
import { beforeLink, userEvents } from "../evaluate/occurrence.ts";
import { countSource, scopes, type Scope } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { durationBetween, type Duration } from "../language/duration.ts";
import { factField, numberLeaf } from "./make-condition.ts";
import { castCondition, castsOfChannel, matchingCasts, maxCasts } from "./matching-casts.ts";

/** Kinds of event that concern a user in a channel and can be counted. */
const countable = [
  "cast.created",
  "cast.removed",
  "record.hidden",
  "record.unhidden",
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "follower.added",
] as const satisfies EventKind[];
type Countable = (typeof countable)[number];

interface Counted {
  of: Countable;
  by: Scope;
  within: Duration;
  gte: number;
  /** Only casts of which this holds. */
  when?: ConditionNode | undefined;
}

/** What is counted, in plain words. */
const countWords: Record<Countable, string> = {
  "cast.created": "casts",
  "cast.removed": "removed casts",
  "record.hidden": "hidden casts",
  "record.unhidden": "casts shown again",
  "user.banned": "bans",
  "user.unbanned": "lifted bans",
  "user.restricted": "restrictions",
  "member.joined": "starts of membership",
  "member.left": "ends of membership",
  "invite.created": "invites",
  "follower.added": "follows",
};

/**
 * Hiding the same cast several times counts once. Records name no user, so they are matched by the author's casts. Later
 * events do not count, so every worker and every rehearsal gets the same number.
 */
const source = countSource<[kind: Countable, within: number, by: Scope]>(
  "events of the channel",
  sql`
    select asked.index, count(distinct coalesce(found.cast_hash, found.id::text)) as count
    from asked cross join lateral (
      select id, cast_hash from castellan.events
      where asked.by = 'author' and channel_id = asked.channel and subject_fid = asked.fid and kind = asked.kind
        and occurred_at > asked.since and id <= asked.event
      union all
      select events.id, events.cast_hash from castellan.casts join castellan.events on cast_hash = casts.hash
      where asked.by = 'author' and asked.kind in ('record.hidden', 'record.unhidden')
        and casts.fid = asked.fid and casts.channel_id = asked.channel and subject_fid is null
        and events.channel_id = asked.channel and kind = asked.kind
        and occurred_at > asked.since and events.id <= asked.event
      union all
      select id, cast_hash from castellan.events
      where asked.by = 'channel' and channel_id = asked.channel and kind = asked.kind
        and occurred_at > asked.since and id <= asked.event
      union all
      select null, hash from castellan.casts
      where asked.event = ${beforeLink} and casts.channel_id = asked.channel and from_past
        and (asked.by = 'channel' or casts.fid = asked.fid)
        and cast_at > asked.since and cast_at <= asked.until
    ) as found
    group by asked.index
  `,
  ({ event }, kind, within, by) => ({ by, kind, since: event.occurredAt - within }),
  // Only casts are known from before the link.
  (kind) => (kind === "cast.created" ? undefined : "Castellan counts this from the link on"),
);

/** How often an event happened in the channel in the seconds up to this one, itself included. */
export const eventCount = (kind: Countable, within: number, by: Scope = "author") =>
  needOf(source, kind, within, by);

/** How often something happens within a short time, by the author or in the whole channel, this event included. */
export const rate: ConditionKind = {
  name: "rate",
  events: userEvents,
  sources: [source, castsOfChannel],
  schema: (_, conditions) =>
    z
      .strictObject({
        of: z.enum(countable),
        by: z.enum(scopes),
        within: durationBetween("1s", "1d"),
        gte: z.int().min(2).max(10_000),
        when: castCondition(conditions).optional(),
      })
      .transform(countEvents),
};

/** How often something happened to the author in the channel, this event included. */
export const history: ConditionKind = {
  name: "history",
  events: userEvents,
  sources: [source, castsOfChannel],
  schema: (_, conditions) =>
    z
      .strictObject({
        event: z.enum(countable),
        by: z.literal("author"),
        within: durationBetween("1m", "90d"),
        gte: z.int().min(1).max(10_000),
        when: castCondition(conditions).optional(),
      })
      .transform(({ event, ...rest }, context) => countEvents({ of: event, ...rest }, context)),
};

function countEvents({ of, by, within, gte, when }: Counted, context: z.RefinementCtx): Leaf {
  const called = `${of} ${by === "author" ? "by the author" : "in the channel"} within ${within.text}`;
  // "The author has 6 or more casts within 2m".
  const plain = `the ${by} has ${gte} or more ${countWords[of]} within ${within.text}`;
  if (when) return countMatching({ of, called, plain, within: within.seconds, by, gte }, when, context);
  return {
    ...numberLeaf(`${called}:`, factField(eventCount(of, within.seconds, by)), orMore(gte)),
    plain,
  };
}

/** Counts only what a condition selects: of casts alone, since nothing else has a text. */
function countMatching(
  { of, ...counted }: Parameters<typeof matchingCasts>[0] & { of: Countable },
  when: ConditionNode,
  context: z.RefinementCtx,
): Leaf {
  const wrong =
    of !== "cast.created"
      ? "selects casts: it goes with cast.created alone"
      : counted.gte > maxCasts
        ? `counts at most ${maxCasts} casts: make gte smaller`
        : undefined;
  if (wrong === undefined) return matchingCasts(counted, when);
  context.issues.push({ code: "custom", message: wrong, path: ["when"], input: when });
  return z.NEVER;
}

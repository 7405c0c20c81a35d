import { sql } from "kysely";
import type { z } from "zod";
import { groupBy } from "../../group-by.ts";
import { describeCondition, describePlainly } from "../explain/describe-condition.ts";
import {
  createLeafReader,
  leavesOf,
  truthOf,
  unknown,
  type ConditionNode,
  type Leaf,
} from "../evaluate/condition.ts";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { Scope } from "../facts/count-source.ts";
import { Facts, needOf, type Fact, type FactSource } from "../facts/fact.ts";
import { authorNotKnown } from "../facts/read-network.ts";
import { readText } from "../text/rule-text.ts";

/** The parts of a past cast that conditions on casts read. */
interface CountedCast {
  hash: string;
  fid: number;
  /** Null if it is no longer stored. */
  text: string | null;
  embeds: string[];
  threadDepth: number;
  /** UNIX seconds. */
  at: number;
}

/** The most casts that are examined, latest first. */
export const maxCasts = 200;

/**
 * The casts in the channel in the seconds up to an event, that of the event included, newest first; one more than are looked
 * at shows that there were more. Casts after the event are left out: two workers, or a rehearsal, give the same.
 */
export const castsOfChannel: FactSource<CountedCast[], [within: number, by: Scope]> = {
  name: "texts of the channel's casts",
  async load(context, wanted) {
    const requested = wanted.map(({ parameters: [within, by], occurrence }, index) => {
      const { channelId: channel, authorFid: fid, event } = occurrence;
      return {
        index,
        channel,
        fid,
        event: event.id,
        by,
        since: event.occurredAt - within,
        until: event.occurredAt,
      };
    });
    const { rows } = await sql<CountedCast & { index: number }>`
      select wanted.index, latest.hash, counted.fid, counted.embeds, counted.thread_depth as "threadDepth", latest.at,
        case when counted.erased_at_ms is null then counted.text end as text
      from json_to_recordset(${JSON.stringify(requested)}::text::json) as wanted(index int, channel text, fid bigint,
        event bigint, by text, since bigint, until bigint)
      cross join lateral (
        select cast_hash as hash, occurred_at as at, id from castellan.events
        where wanted.by = 'author' and channel_id = wanted.channel and subject_fid = wanted.fid and kind = 'cast.created'
          and occurred_at > wanted.since and id <= wanted.event
        union all
        select cast_hash, occurred_at, id from castellan.events
        where wanted.by = 'channel' and channel_id = wanted.channel and kind = 'cast.created'
          and occurred_at > wanted.since and id <= wanted.event
        union all
        select hash, cast_at, 0 from castellan.casts
        where wanted.event = ${beforeLink} and casts.channel_id = wanted.channel and from_past
          and (wanted.by = 'channel' or casts.fid = wanted.fid)
          and cast_at > wanted.since and cast_at <= wanted.until
        order by at desc, id desc limit ${sql.lit(maxCasts + 1)}
      ) as latest
      join castellan.casts as counted on counted.hash = latest.hash
      order by wanted.index, latest.at desc, latest.id desc
    `.execute(context.database.query);
    const found = groupBy(rows, ({ index }) => index);
    const at = context.clock.now();
    return requested.map(({ index, by, fid }): Fact<CountedCast[]> => {
      if (by === "author" && fid === null) return authorNotKnown(castsOfChannel.name, context);
      return { known: true, value: found.get(index) ?? [], source: castsOfChannel.name, at };
    });
  },
};

/** The casts of the author, or of all, in the seconds up to an event. */
export const castsWithin = (within: number, by: Scope) => needOf(castsOfChannel, within, by);

/** A condition that selects past casts. It may only read the casts themselves, because other facts of that time are no longer known. */
export function castCondition(conditions: z.ZodType<ConditionNode>): z.ZodType<ConditionNode> {
  return conditions.superRefine((node, context) => {
    if (context.issues.length > 0) return;
    for (const { name, leaf } of leavesOf(node)) {
      if (leaf.needs.length === 0 && selectable.has(name)) continue;
      const message = `cannot select casts by ${name}: only by ${[...selectable].join(", ")}`;
      context.addIssue({ code: "custom", message, input: node });
      return;
    }
  });
}

const selectable: ReadonlySet<string> = new Set([
  "text",
  "text.length",
  "text.links",
  "embed.pictures",
  "embed.domain",
  "is_reply",
  "thread.depth",
  "author.fid",
]);

interface Counted {
  /** Its name in a sentence, and the whole in plain words. */
  called: string;
  plain: string;
  /** In seconds. */
  within: number;
  by: Scope;
  gte: number;
}

/** How many of the casts a condition selects: `gte` or more. */
export function matchingCasts({ called, plain, within, by, gte }: Counted, when: ConditionNode): Leaf {
  const need = castsWithin(within, by);
  const leaves = leavesOf(when).map(({ leaf }) => leaf);
  return {
    needs: [need],
    cost: 5 + leaves.reduce((sum, { cost }) => sum + cost, 0),
    sentence: `${called}, if ${describeCondition(when)}: ${gte} or more`,
    plain: `${plain}, counting those where ${describePlainly(when)}`,
    lists: [...new Set(leaves.flatMap(({ lists = [] }) => lists))],
    read(occurrence, facts) {
      const fact = facts.read(need);
      const from = { source: fact.source, at: fact.at };
      if (!fact.known) return unknown(fact.why, from);
      const truths = fact.value
        .slice(0, maxCasts)
        .map((cast) => truthOf(when, createLeafReader(toOccurrence(cast, occurrence), new Facts())));
      const count = truths.filter((truth) => truth === true).length;
      if (count >= gte) return { truth: true, value: count, ...from };
      const open = truths.filter((truth) => truth === "unknown").length;
      if (fact.value.length > maxCasts)
        return unknown(`only the latest ${maxCasts} casts were examined`, from);
      if (count + open >= gte) return unknown("some of the casts are no longer stored", from);
      return { truth: false, value: count, ...from };
    },
  };
}

function toOccurrence({ hash, fid, text, embeds, threadDepth }: CountedCast, around: Occurrence): Occurrence {
  return {
    ...around,
    authorFid: fid,
    text: text === null ? null : readText(text),
    cast: text === null ? null : { hash, embeds, threadDepth, mentions: null },
    name: null,
  };
}

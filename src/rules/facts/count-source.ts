import { sql, type RawBuilder } from "kysely";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { Fact, FactSource, Parameters } from "./fact.ts";
import { authorNotKnown } from "./read-network.ts";

/** The users whose events are counted. */
export const scopes = ["author", "channel"] as const;
export type Scope = (typeof scopes)[number];

/** Further limits of a count. */
interface Bounds {
  /** The author's by default. */
  by?: Scope;
  kind?: string;
  /** UNIX seconds. */
  since?: number;
}

/**
 * A source of numbers from the database. `count` is a query over `asked`: index, guild, channel, fid, event (id), seen_at
 * (UNIX milliseconds), by, kind, since, until; it returns index and count. An author's number is unknown without the
 * author; `whyUnknownBefore` explains why a number is unknown for a cast from before the link.
 */
export function countSource<P extends Parameters = []>(
  name: string,
  count: RawBuilder<{ index: number; count: number }>,
  boundsOf: (occurrence: Occurrence, ...parameters: P) => Bounds = () => ({}),
  whyUnknownBefore: (...parameters: P) => string | undefined = () => undefined,
): FactSource<number, P> {
  return {
    name,
    async load(context, wanted) {
      const asked = wanted.map(({ parameters, occurrence }, index) => {
        const { guildId: guild, channelId: channel, authorFid: fid, event } = occurrence;
        const { by = "author", kind, since } = boundsOf(occurrence, ...parameters);
        const { id, observedAt: seen_at, occurredAt: until } = event;
        return { index, guild, channel, fid, event: id, seen_at, by, kind, since, until };
      });
      const { rows } = await sql<{ index: number; count: number }>`
        with asked as (
          select * from json_to_recordset(${JSON.stringify(asked)}::text::json) as asked(index int, guild text,
            channel text, fid bigint, event bigint, seen_at bigint, by text, kind text, since bigint, until bigint)
        ) ${count}
      `.execute(context.database.query);
      const counts = new Map(rows.map(({ index, count }) => [index, count]));
      const at = context.clock.now();
      return asked.map(({ index, by, fid, event }): Fact<number> => {
        if (by === "author" && fid === null) return authorNotKnown(name, context);
        const parameters = wanted[index]?.parameters;
        const why = event === beforeLink && parameters ? whyUnknownBefore(...parameters) : undefined;
        if (why !== undefined) return { known: false, why, source: name, at };
        return { known: true, value: counts.get(index) ?? 0, source: name, at };
      });
    },
  };
}

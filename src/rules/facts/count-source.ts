import { sql, type RawBuilder } from "kysely";
import { beforeLink, type Occurrence } from "../evaluate/occurrence.ts";
import type { Fact, FactSource, Parameters } from "./fact.ts";
import { authorNotKnown } from "./read-network.ts";

/** Whose events are counted. */
export const scopes = ["author", "channel"] as const;
export type Scope = (typeof scopes)[number];

/** What a count is limited to, besides what the event gives. */
interface Bounds {
  /** The author's unless said otherwise. */
  by?: Scope;
  kind?: string;
  /** UNIX seconds. */
  since?: number;
}

/**
 * A source of numbers that the store has. `count` is a query over `asked`: index, guild, channel, fid, event (id), seen_at
 * (UNIX milliseconds), by, kind, since, until; it gives index and count. An author's number is not known without the author;
 * why the number for a cast from before the link is not, `whyUnknownBefore` says.
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

import { sql, type RawBuilder } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { CastExtras } from "../database/tables/bot.ts";
import type { CastBody } from "../text/show-cast.ts";

const nothing: CastExtras = { embeds: [], mentions: [], mentionsPositions: [], quotes: [] };

/** Shows text that is not a cast, such as a name or a member's own words, the way casts are shown. */
export function textBody(text: string): CastBody {
  return { text, ...nothing };
}

/** An event's cast. Earlier versions stored fewer fields. */
export function bodyOf(cast: Partial<CastExtras> & { text: string }): CastBody {
  const { text, embeds = [], mentions = [], mentionsPositions = [], quotes = [] } = cast;
  return { text, embeds, mentions, mentionsPositions, quotes };
}

/** The same for a row of castellan.casts; `table` is its alias in the statement. */
export function selectBody(table: string): RawBuilder<CastBody> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<CastBody>`jsonb_build_object('text', ${column("text")}, 'embeds', ${column("embeds")},
    'mentions', ${column("mentions")}, 'mentionsPositions', ${column("mentions_positions")},
    'quotes', ${column("quotes")})`;
}

/** The content of casts by hash, without casts that are erased or were never seen. */
export async function readBodies(db: Queryable, hashes: readonly string[]): Promise<Map<string, CastBody>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom("castellan.casts")
    .select(["hash", selectBody("castellan.casts").as("body")])
    .where("hash", "in", [...new Set(hashes)])
    .where("erased_at_ms", "is", null)
    .execute();
  return new Map(rows.map(({ hash, body }) => [hash, body]));
}

/** Evidence as cases and reviews store it: the cast as it was at that time. */
export function packEvidence(body: CastBody | null | undefined) {
  if (!body) return { evidence: null, evidence_extras: null };
  const { embeds, mentions, mentionsPositions, quotes } = body;
  const isMore = embeds.length + mentions.length + quotes.length > 0;
  const extras: CastExtras = { embeds, mentions, mentionsPositions, quotes };
  return { evidence: body.text, evidence_extras: isMore ? JSON.stringify(extras) : null };
}

export function readEvidence(stored: {
  evidence: string | null;
  evidenceExtras: CastExtras | null;
}): CastBody | null {
  const { evidence, evidenceExtras } = stored;
  return evidence === null ? null : { text: evidence, ...(evidenceExtras ?? nothing) };
}

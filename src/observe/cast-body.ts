import { sql, type RawBuilder } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { CastExtras } from "../database/tables/bot.ts";
import type { CastBody } from "../text/show-cast.ts";

const nothing: CastExtras = { embeds: [], mentions: [], mentionsPositions: [], quotes: [] };

/** Something that is shown as casts are, and has a text alone: a name, a member's own words. */
export function textBody(text: string): CastBody {
  return { text, ...nothing };
}

/** A cast of an event, which earlier versions stored with less. */
export function bodyOf(cast: Partial<CastExtras> & { text: string }): CastBody {
  const { text, embeds = [], mentions = [], mentionsPositions = [], quotes = [] } = cast;
  return { text, embeds, mentions, mentionsPositions, quotes };
}

/** The same of a row of castellan.casts, by the name that it has in the statement. */
export function selectBody(table: string): RawBuilder<CastBody> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<CastBody>`jsonb_build_object('text', ${column("text")}, 'embeds', ${column("embeds")},
    'mentions', ${column("mentions")}, 'mentionsPositions', ${column("mentions_positions")},
    'quotes', ${column("quotes")})`;
}

/** What casts show, by hash; erased ones and those that were never seen are left out. */
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

/** Evidence as cases and reviews store it: the cast as it was at that moment. */
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

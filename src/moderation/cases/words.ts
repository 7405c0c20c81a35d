import { sql, type RawBuilder } from "kysely";
import type { Scope } from "./case.ts";

/*
 * Finds cases with given words in their reason, note or cast: words of at least three letters match as prefixes, so evil
 * finds evil.example; text in scripts without spaces matches anywhere. Both indexes contain the server and channel as one
 * word, which no text can equal because it contains a space.
 */

/** As in the index cases_by_words (src/database/baseline/bot.ts). */
const said = sql`coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, '')`;

/** As in castellan.letter_pairs (src/database/baseline/letter-pairs.ts). */
const unspaced =
  /[\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]+/gu;

export function hasWords(scope: Scope, words: string): RawBuilder<boolean> {
  const runs = words.match(unspaced) ?? [];
  if (runs.length === 0) return beginsWords(scope, words);
  const parts = [...runs, ...words.replace(unspaced, " ").split(/[^\p{L}\p{M}\p{N}]+/u)];
  const pairs = runs.flatMap(toPairs).map((pair) => `'${pair}'${Array.from(pair).length === 1 ? ":*" : ""}`);
  return sql<boolean>`(castellan.letter_pairs(guild_id || ' ' || channel_id, ${said})
    @@ ${[quoteChannel(scope), ...pairs].join(" & ")}::tsquery
    and (${said}) ilike all (${parts.map((part) => `%${part}%`)}::text[]))`;
}

function beginsWords(scope: Scope, words: string): RawBuilder<boolean> {
  const typed = sql`plainto_tsquery('simple', ${words})`;
  // 'evil' & 'at' becomes 'evil':* & 'at'.
  const longer = String.raw`(^|& )('(?:[^']|''){3,}')`;
  const beginnings = sql`regexp_replace(${typed}::text, ${longer}, ${String.raw`\1\2:*`}, 'g')::tsquery`;
  return sql<boolean>`((to_tsvector('simple', ${said}) || array_to_tsvector(array[guild_id || ' ' || channel_id]))
    @@ (${beginnings} && ${quoteChannel(scope)}::tsquery) and numnode(${typed}) > 0)`;
}

function quoteChannel({ guildId, channelId }: Scope): string {
  return `'${`${guildId} ${channelId}`.replace(/['\\]/g, "$&$&")}'`;
}

/** Each pair of adjacent letters; a single letter itself, as the start of a pair. */
function toPairs(run: string): string[] {
  const letters = Array.from(run);
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

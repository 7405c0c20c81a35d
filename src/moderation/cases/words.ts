import { sql, type RawBuilder } from "kysely";
import type { Scope } from "./case.ts";

/*
 * Which cases have some words in their reason, their note or their cast: words of three letters on as beginnings of words, so
 * that evil finds evil.example; and what is written in scripts without spaces wherever it stands. The channel of the server is
 * a word of both indexes, which no text has for its space.
 */

/** As the index cases_by_words has it (src/database/baseline/bot.ts). */
const said = sql`coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, '')`;

/** As castellan.letter_pairs has them (src/database/baseline/letter-pairs.ts). */
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

/** Each two letters side by side; of a single letter itself, with which a pair begins. */
function toPairs(run: string): string[] {
  const letters = Array.from(run);
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

import type { CommandContext } from "../../src/discord/command-context.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { describeAgainst } from "../../src/feed/render/review.ts";
import { listCases } from "../../src/moderation/cases/list-cases.ts";
import { countCasts, type CastCounts } from "../../src/moderation/count-casts.ts";
import { countCasesAgainst } from "../../src/moderation/person.ts";
import type { User } from "../../src/observe/people.ts";
import { countStrikes, listNotes } from "../../src/rules/actions/strikes-and-notes.ts";
import { countReviews } from "../../src/reviews/review-items.ts";
import { amount, count } from "../../src/text/amount.ts";
import { escapeText, inlineCode } from "../../src/text/message-text.ts";
import { describeCaseLine } from "./describe-case.ts";

/** The most cases and notes that are listed individually. */
const [maxLines, maxNotes] = [5, 3];

interface HistoryLine {
  text: string;
  /** It must be read before acting. */
  isWarning?: boolean;
}

/** What this server knows about a person in a channel, to consider before acting. */
export async function describeHistory(
  context: CommandContext,
  channelId: string,
  user: User,
): Promise<string> {
  const lines = await readHistory(context, channelId, user);
  return lines.map(({ text }) => text).join("\n");
}

/** The same below a question: warnings and notes first, and the rest in small letters. */
export async function describeHistoryBelow(
  context: CommandContext,
  channelId: string,
  user: User,
): Promise<string[]> {
  const lines = await readHistory(context, channelId, user);
  return [
    ...lines.flatMap(({ text, isWarning }) => (isWarning ? [text] : [])),
    ...lines.flatMap(({ text, isWarning }) => (isWarning ? [] : [small(text)])),
  ];
}

/** A line in Discord's small letters. */
export function small(line: string): string {
  return `-# ${line}`;
}

async function readHistory(context: CommandContext, channelId: string, user: User): Promise<HistoryLine[]> {
  const { database, actor } = context;
  const { query } = database;
  const scope = { guildId: actor.guildId, channelId };
  const [cases, counts, casts, reviews] = await Promise.all([
    listCases(query, { ...scope, subjectFid: user.fid, limit: maxLines }),
    countCasesAgainst(query, actor.guildId, [channelId], user.fid),
    countCasts(query, channelId, user.fid),
    countReviews(query, scope, user.fid),
  ]);
  const lookups = await readCaseLookups(query, cases);
  const isUnknown = user.name === undefined && casts.seen === 0 && cases.length === 0;
  const marks = await describeMarks(context, channelId, user.fid);
  const plain = (text: string): HistoryLine => ({ text });
  return [
    plain(`${amount(casts.seen, "cast")} seen in /${channelId}, ${describeHiddenCasts(casts)}.`),
    ...[...(isUnknown ? [warnUnknown(user)] : []), ...marks].map((text) => ({ text, isWarning: true })),
    ...(reviews > 0 ? [plain(`Reported or held for a decision: ${amount(reviews, "time")}.`)] : []),
    plain(`Earlier: ${describeAgainst(counts)}.`),
    ...(cases.length === 0 ? [] : [plain("Latest cases:")]),
    ...cases.map((subject) => plain(describeCaseLine(subject, lookups))),
    ...(cases.length === maxLines ? [plain(`/case show user:${user.fid} shows all.`)] : []),
  ];
}

export function warnUnknown({ fid }: User): string {
  return `⚠️ No name and no cast of fid ${fid} is known here. Check that the number is right.`;
}

/** "3 hidden, 12 more hidden by the ban". */
export function describeHiddenCasts({ hidden, hiddenByBan }: CastCounts): string {
  if (hiddenByBan === 0) return `${count(hidden)} hidden`;
  return hidden === 0
    ? `${count(hiddenByBan)} hidden by the ban`
    : `${count(hidden)} hidden, ${count(hiddenByBan)} more hidden by the ban`;
}

/** The author of a note: a rule, or a member of this server. */
export function describeWriter(note: { rule_id: string | null; written_by: string | null }): string {
  return note.rule_id === null ? `<@${note.written_by}>` : `rule ${inlineCode(note.rule_id, 40)}`;
}

/** Active strike points and the latest notes. */
async function describeMarks(
  { database, clock, actor }: CommandContext,
  channelId: string,
  fid: number,
): Promise<string[]> {
  const person = { guildId: actor.guildId, channelId, fid };
  const points = await countStrikes(database.query, clock, person);
  const { notes, all } = await listNotes(
    database.query,
    { ...person, channelIds: [channelId] },
    { limit: maxNotes },
  );
  return [
    ...(points > 0 ? [`${amount(points, "strike point")}.`] : []),
    ...notes.map((note) => `Note of ${describeWriter(note)}: ${escapeText(note.text, 200)}`),
    ...(all > notes.length ? [`${notes.length} of ${count(all)} notes: </note> user:${fid} shows all.`] : []),
  ];
}

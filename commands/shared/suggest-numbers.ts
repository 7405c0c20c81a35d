import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Choice, RawValues, Suggest } from "../../src/discord/command.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import { describeCounts, isUndone } from "../../src/feed/render/bulk.ts";
import { readBulks, type BulkSummary } from "../../src/feed/render/bulk-summary.ts";
import { canUndo } from "../../src/feed/render/post-buttons.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { listBulks } from "../../src/moderation/bulks/bulk.ts";
import { listNumbered, type Case } from "../../src/moderation/cases/case.ts";
import { listNewestCases } from "../../src/moderation/cases/list-cases.ts";
import { readEvidence } from "../../src/observe/cast-body.ts";
import { readNames, nameUser } from "../../src/observe/people.ts";
import { listDecidedItems, listOpenItems } from "../../src/reviews/review-items.ts";
import { findNumber, kindOfNumber, showNumber } from "../../src/text/numbered.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { cutText } from "../../src/text/message-text.ts";
import { listSource } from "../../src/text/review-sources.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { describeState, kindWords } from "./describe-case.ts";
import { ruleOption } from "../rule/rule-arguments.ts";
import { suggestCastsFor, suggestedChannels, suggestedIn, suggestUsersFor } from "./suggestions.ts";

/* Numbers that nobody remembers, with what they stand for. */

/** The newest that are searched, for each channel and in total. */
const [newest, newestOfAll] = [100, 1000];

/** A number that is offered, and when it came to be. */
interface Dated extends Choice {
  atMs: number;
}

const newestFirst = (one: Dated, other: Dated) => other.atMs - one.atMs;

export const suggestCasesAndBulks: Suggest = async (typed, context, given) => {
  const channelIds = await suggestedIn(context, given, "view");
  const found = await Promise.all([offerCases(typed, context, given), offerBulks(context, channelIds)]);
  return fitting(found.flat().toSorted(newestFirst), typed);
};

export const suggestCases: Suggest = async (typed, context, given) =>
  fitting(await offerCases(typed, context, given), typed);

async function offerCases(
  typed: string,
  context: CommandContext,
  given: RawValues,
  isOffered: (subject: Case) => boolean = () => true,
): Promise<Dated[]> {
  const { query } = context.database;
  const channelIds = await suggestedIn(context, given, "view");
  const limits = { inEach: newest, inAll: newestOfAll };
  const found = [
    ...(await findTyped(typed, context, given, channelIds)),
    ...(await listNewestCases(query, context.actor.guildId, channelIds, limits)),
  ];
  const cases = [...new Map(found.map((one) => [one.id, one])).values()].filter(isOffered);
  const names = await readNames(
    query,
    cases.flatMap(({ subjectFid, evidenceExtras }) => [
      ...(subjectFid === null ? [] : [subjectFid]),
      ...(evidenceExtras?.mentions ?? []),
    ]),
  );
  return cases.map((subject) => {
    const { number, kind, subjectFid, channelId, requestedAtMs } = subject;
    const evidence = readEvidence(subject);
    const whom =
      subjectFid === null
        ? evidence
          ? castLine(evidence, names, 50)
          : ""
        : nameUser({ fid: subjectFid, name: names.get(subjectFid) });
    const where = channelIds.length === 1 && channelIds.includes(channelId) ? "" : ` in /${channelId}`;
    const shown = showNumber("case", number);
    const name = `${shown}: ${kindWords[kind]} ${whom}${where}, ${describeState(subject)}, ${ago(context, requestedAtMs)}`;
    return { name, value: shown, atMs: requestedAtMs };
  });
}

/** Cases with exactly the typed number: of these channels, or else of all that the actor may view, if none is given. */
async function findTyped(
  typed: string,
  context: CommandContext,
  given: RawValues,
  channelIds: readonly string[],
): Promise<Case[]> {
  const number = findNumber("case", typed);
  if (number === undefined) return [];
  const viewed = given["channel"] === undefined ? await suggestedChannels(context, "view") : channelIds;
  const found = await listNumbered(context.database.query, context.actor.guildId, viewed, [number]);
  const own = found.filter(({ channelId }) => channelIds.includes(channelId));
  return own.length > 0 ? own : found;
}

export const suggestReviews: Suggest = async (typed, context, given) => {
  const channelIds = await suggestedIn(context, given, "view");
  const { guildId } = context.actor;
  if (channelIds.length === 0) return [];
  const { query } = context.database;
  const items = await listOpenItems(query, { guildId, channelIds, after: 0, limit: newest });
  const names = await readNames(
    query,
    items.flatMap(({ fid }) => fid ?? []),
  );
  const choices = items.map(({ id, ruleId, fid, channelIds: where, queuedAtMs }) => {
    const whom = fid === null ? "" : ` ${nameUser({ fid, name: names.get(fid) })}`;
    const shown = showNumber("review", id);
    const places = where.map((channelId) => `/${channelId}`).join(", ");
    const { name: holder, isRule } = listSource(ruleId);
    return {
      name: `${shown}: ${isRule ? "rule " : ""}${holder}${whom} in ${places}, ${ago(context, queuedAtMs)}`,
      value: shown,
    };
  });
  return fitting(choices, typed);
};

/** Feeds that the actor may end; with Manage Server, all of them. */
export const suggestEndableFeeds: Suggest = async (typed, context) =>
  context.actor.managesServer ? offerFeeds(context, typed) : suggestFeeds(typed, context, {});

/** Feeds that the actor may change. */
export const suggestFeeds: Suggest = async (typed, context) =>
  (await suggestedChannels(context, "feeds")).length === 0 ? [] : offerFeeds(context, typed);

async function offerFeeds(context: CommandContext, typed: string): Promise<Choice[]> {
  const { guildId } = context.actor;
  const feeds = (await listFeeds(context, guildId)).filter(({ ended }) => ended === null);
  const choices = feeds.map(({ id, roomId, channelIds, kinds }) => {
    const of =
      channelIds === null ? "all channels" : channelIds.map((channelId) => `/${channelId}`).join(", ");
    const room = context.roomName(roomId);
    return {
      name: `${id}: ${room === undefined ? "a room that is gone" : `#${room}`}, ${of}, ${kinds.join(", ")}`,
      value: id,
    };
  });
  return fitting(choices, typed);
}

/** Bulks of channels that the actor may view, with their actions. */
export const suggestBulks: Suggest = async (typed, context, given) => {
  const channelIds = await suggestedIn(context, given, "view");
  return fitting(await offerBulks(context, channelIds), typed);
};

async function offerBulks(
  context: CommandContext,
  channelIds: readonly string[],
  isOffered: (bulk: BulkSummary) => boolean = () => true,
): Promise<Dated[]> {
  const { query } = context.database;
  const bulks = await listBulks(query, context.actor.guildId, channelIds, undefined, newest);
  const recent = await readBulks(
    query,
    bulks.map(({ id }) => id),
    channelIds,
  );
  return [...recent.values()].filter(isOffered).map((bulk) => {
    const shown = showNumber("bulk", bulk.number);
    const { selection, subjectFid, names, beganAtMs } = bulk;
    const of =
      subjectFid === null
        ? selection
        : `${selection} ${nameUser({ fid: subjectFid, name: names.get(subjectFid) })}`;
    const name = `${shown}: ${describeCounts(bulk)} (${of}), ${ago(context, beganAtMs)}`;
    return { name, value: shown, atMs: beganAtMs };
  });
}

/** Reviews that were decided, and not undone since. */
async function offerDecided(context: CommandContext, channelIds: readonly string[]): Promise<Dated[]> {
  const { query } = context.database;
  const items = await listDecidedItems(query, context.actor.guildId, channelIds, newest);
  const names = await readNames(
    query,
    items.flatMap(({ fid }) => fid ?? []),
  );
  return items.map(({ id, state, fid, channel_id, decided_at_ms }) => {
    const shown = showNumber("review", id);
    const whom = fid === null ? "" : ` ${nameUser({ fid, name: names.get(fid) })}`;
    const atMs = decided_at_ms ?? 0;
    return {
      name: `${shown}: Review${whom} in /${channel_id}, ${state}, ${ago(context, atMs)}`,
      value: shown,
      atMs,
    };
  });
}

/** Undoable items, newest first; then rules, banned people and hidden casts. */
export const suggestUndoable: Suggest = async (typed, context, given) => {
  const channelIds = await suggestedIn(context, given, "view");
  const acting = await Promise.all(
    (["invite", "hide", "pin", "ban", "undo"] as const).map((one) => suggestedIn(context, given, one)),
  );
  if (acting.flat().length === 0) return [];
  const isAlone = (one: Case) =>
    one.bulkId === null && canUndo({ ...one, isExpiry: one.endsCaseId !== null });
  const numbered = await Promise.all([
    offerCases(typed, context, given, isAlone),
    offerBulks(context, channelIds, (bulk) => !isUndone(bulk)),
    offerDecided(context, channelIds),
  ]);
  const found = fitting(numbered.flat().toSorted(newestFirst), typed);
  const isNamed = typed.trim() !== "";
  if (isNamed && kindOfNumber(typed) !== undefined) return found;
  const others = await offerByName(typed, context, given);
  return [...(isNamed ? found.slice(0, discordLimits.choices - others.length) : found), ...others];
};

/** So many of each kind are offered beside the numbers. */
const maxByName = 5;

async function offerByName(typed: string, context: CommandContext, given: RawValues): Promise<Choice[]> {
  const word = typed.trim().replace(/^rule[\s:]+/i, "");
  const kinds: [Suggest | undefined, (name: string) => string, (value: Choice["value"]) => string][] = [
    [ruleOption.suggest, (name) => `All that rule ${name} did`, (id) => `rule:${id}`],
    [suggestUsersFor("unban"), (name) => `Lift the ban of ${name}`, (fid) => `fid ${fid}`],
    [suggestCastsFor({ hidden: "hide" }), (name) => `Show again: ${name}`, String],
  ];
  const offered = await Promise.all(
    kinds.map(async ([suggest, toName, toValue]) => {
      const choices = (await suggest?.(word, context, given)) ?? [];
      return choices
        .slice(0, maxByName)
        .map(({ name, value }) => ({ name: toName(name), value: toValue(value) }));
    }),
  );
  return offered.flat();
}

function ago({ clock }: CommandContext, atMs: number): string {
  return `${formatDuration((clock.now() - atMs) / 1000)} ago`;
}

/** Items whose number begins with the typed text (the exact number first), or that contain its words. */
function fitting(choices: readonly Choice[], typed: string): Choice[] {
  const word = typed.trim().replace(/^#/, "").toLowerCase();
  const isNumber = /^(?:[a-z]-)?\d*$/.test(word);
  const numbersOf = ({ value }: Choice) => [String(value).toLowerCase(), String(value).slice(2)];
  const isExact = (choice: Choice) => Number(numbersOf(choice).includes(word));
  return choices
    .filter((choice) =>
      isNumber
        ? numbersOf(choice).some((one) => one.startsWith(word))
        : choice.name.toLowerCase().includes(word),
    )
    .toSorted((one, other) => isExact(other) - isExact(one))
    .slice(0, discordLimits.choices)
    .map(({ name, value }) => ({ name: cutText(name.replace(/\s+/g, " "), 100), value }));
}

import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Choice, Suggest } from "../../src/discord/command.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import { describeCounts } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/bulk-summary.ts";
import { listBulks } from "../../src/moderation/bulks/bulk.ts";
import { listNewestCases } from "../../src/moderation/cases/list-cases.ts";
import { readEvidence } from "../../src/observe/cast-body.ts";
import { readNames, nameUser } from "../../src/observe/people.ts";
import { listOpenItems } from "../../src/reviews/review-items.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { castLine } from "../../src/text/show-cast.ts";
import { cutText } from "../../src/text/message-text.ts";
import { listSource } from "../../src/text/case-sources.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { describeState, kindWords } from "./describe-case.ts";
import { suggestedChannels, suggestedIn } from "./suggestions.ts";

/* Numbers that nobody remembers, with what they stand for. */

/** The newest that are searched, for each channel and in total. */
const [newest, newestOfAll] = [100, 1000];

export const suggestCases: Suggest = async (typed, context, given) => {
  const channelIds = await suggestedIn(context, given, "view");
  const { query } = context.database;
  const limits = { inEach: newest, inAll: newestOfAll };
  const cases = await listNewestCases(query, context.actor.guildId, channelIds, limits);
  const names = await readNames(
    query,
    cases.flatMap(({ subjectFid, evidenceExtras }) => [
      ...(subjectFid === null ? [] : [subjectFid]),
      ...(evidenceExtras?.mentions ?? []),
    ]),
  );
  const choices = cases.map((subject) => {
    const { number, kind, subjectFid, channelId, requestedAtMs } = subject;
    const evidence = readEvidence(subject);
    const whom =
      subjectFid === null
        ? evidence
          ? castLine(evidence, names, 50)
          : ""
        : nameUser({ fid: subjectFid, name: names.get(subjectFid) });
    const where = channelIds.length > 1 ? ` in /${channelId}` : "";
    const shown = showNumber("case", number);
    const name = `${shown}: ${kindWords[kind]} ${whom}${where}, ${describeState(subject)}, ${ago(context, requestedAtMs)}`;
    return { name, value: shown };
  });
  return fitting(choices, typed);
};

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
  if (channelIds.length === 0) return [];
  const { query } = context.database;
  const bulks = await listBulks(query, context.actor.guildId, channelIds, undefined, newest);
  const told = await readBulks(
    query,
    bulks.map(({ id }) => id),
  );
  const choices = [...told.values()].map((bulk) => {
    const shown = showNumber("bulk", bulk.number);
    const { selection, subjectFid, names } = bulk;
    const of =
      subjectFid === null
        ? selection
        : `${selection} ${nameUser({ fid: subjectFid, name: names.get(subjectFid) })}`;
    const name = `${shown}: ${describeCounts(bulk)} (${of}), ${ago(context, bulk.beganAtMs)}`;
    return { name, value: shown };
  });
  return fitting(choices, typed);
};

function ago({ clock }: CommandContext, atMs: number): string {
  return `${formatDuration((clock.now() - atMs) / 1000)} ago`;
}

/** Items whose number begins with the typed text, or that contain its words. */
function fitting(choices: readonly Choice[], typed: string): Choice[] {
  const word = typed.trim().replace(/^#/, "").toLowerCase();
  const isNumber = /^(?:[a-z]-)?\d*$/.test(word);
  return choices
    .filter(({ name, value }) =>
      isNumber
        ? [value, String(value).slice(2)].some((one) => String(one).toLowerCase().startsWith(word))
        : name.toLowerCase().includes(word),
    )
    .slice(0, 25)
    .map(({ name, value }) => ({ name: cutText(name.replace(/\s+/g, " "), 100), value }));
}

import { z } from "zod";
import type { CommandContext } from "../../discord/command-context.ts";
import { AppError } from "../../errors.ts";
import { toBulkRecord, toCaseRecord, toReviewRecord, toTime } from "../../integrations/records.ts";
import { readReviews, type HeldReview } from "../../feed/render/held-reviews.ts";
import { authorize, listRights } from "../../moderation/authorize.ts";
import { authorizeIn } from "../../moderation/authorize-server.ts";
import { caseKinds, findCase, targetKey } from "../../moderation/cases/case.ts";
import { listCases } from "../../moderation/cases/list-cases.ts";
import { readStandingBans } from "../../moderation/cases/standing-bans.ts";
import { listLinks } from "../../moderation/channel-links.ts";
import { countCastsIn } from "../../moderation/count-casts.ts";
import { findName } from "../../moderation/find-target.ts";
import { countCasesAgainst, listCasesAbout, readPlaces } from "../../moderation/person.ts";
import { listOpenItems } from "../../reviews/review-items.ts";
import { readMarks } from "../../rules/verdicts/marks-of-person.ts";
import { readNumber, showNumber } from "../../text/numbered.ts";
import { cutPage, readPosition, readPlace, writePlace } from "../paging.ts";
import { readBulkPage } from "../read-bulks.ts";
import { Written } from "../request-schemas.ts";
import { read, type ReadOperation } from "./operation.ts";
import {
  BulkPage,
  CasePage,
  CaseRecord,
  ChannelList,
  PersonRecord,
  ReviewPage,
  ReviewRecord,
} from "../../integrations/schemas.ts";

const Text = Written.max(200);
export const ChannelParameter = Text.describe("Channel id, such as memes");
export const CaseParameter = Text.describe("Number of the case, such as C-12 or 12");
export const ReviewParameter = Text.describe("Number of the review, such as R-3 or 3");
const FidParameter = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** RFC 3339, which Python writes with an offset. */
const Time = z.iso.datetime({ offset: true, error: "must be a time such as 2026-11-01T00:00:00Z" });
const paging = {
  cursor: Text.optional().describe("`next` of the page before"),
  limit: z.coerce.number().int().min(1).max(100).default(25).describe("Page size"),
};

const listChannels = read({
  id: "listChannels",
  path: "/channels",
  summary: "List channels",
  description: "The channels of the server in which the token may do something, and what.",
  input: z.strictObject({}),
  result: ChannelList,
  async run(context) {
    const rights = await listRights(context, context.actor);
    const links = await listLinks(context, context.actor.guildId);
    const names = new Map(links.map(({ channelId, channelName }) => [channelId, channelName]));
    const held = [...rights].filter(([, may]) => may.length > 0);
    return {
      channels: held.map(([channel, may]) => ({ channel, name: names.get(channel) ?? null, may: [...may] })),
    };
  },
});

const listChannelCases = read({
  id: "listCases",
  path: "/channels/{channel}/cases",
  summary: "List cases",
  description: "The cases of a channel, newest first. Every filter that is given has to fit. Needs `view`.",
  input: z.strictObject({
    channel: ChannelParameter,
    fid: FidParameter.optional().describe("Only cases of this user and their casts"),
    moderator: Text.optional().describe("Only what this Discord user id did, also by a token"),
    action: z.enum(caseKinds).optional().describe("Only this action"),
    rule: Text.optional().describe("Only what this rule did"),
    state: z.enum(CaseRecord.shape.state.options).optional().describe("Only cases in this state"),
    since: Time.optional().describe("Only cases from then on"),
    until: Time.optional().describe("Only cases before then"),
    words: Written.max(100).optional().describe("Only with these words in reason, note or cast"),
    ...paging,
  }),
  result: CasePage,
  async run(context, { channel, fid, moderator, rule, action, state, since, until, words, cursor, limit }) {
    await authorize(context, context.actor, channel, "view");
    const found = await listCases(context.database.query, {
      guildId: context.actor.guildId,
      channelId: channel,
      subjectFid: fid,
      actorUser: moderator,
      ruleId: rule,
      kind: action,
      state,
      sinceMs: since === undefined ? undefined : Date.parse(since),
      untilMs: until === undefined ? undefined : Date.parse(until),
      words,
      before: readPlace(cursor),
      limit: limit + 1,
    });
    const { shown, more } = cutPage(found, limit, writePlace);
    return { cases: shown.map(toCaseRecord), ...more };
  },
});

const getCase = read({
  id: "getCase",
  path: "/channels/{channel}/cases/{number}",
  summary: "Get a case",
  description: "One case of a channel. Needs `view`.",
  input: z.strictObject({ channel: ChannelParameter, number: CaseParameter }),
  result: CaseRecord,
  async run(context, { channel: channelId, number: typed }) {
    await authorize(context, context.actor, channelId, "view");
    const number = readNumber("case", typed);
    const { guildId } = context.actor;
    const subject = await findCase(context.database.query, { guildId, channelId, number });
    if (subject) return toCaseRecord(subject);
    throw new AppError("not_found", `There is no case ${showNumber("case", number)} in /${channelId}.`);
  },
});

const listReviews = read({
  id: "listReviews",
  path: "/reviews",
  summary: "List open reviews",
  description:
    "What waits for a decision in the channels that the token may view, oldest first. Needs `view`.",
  input: z.strictObject({
    channel: ChannelParameter.optional().describe("Only reviews of this channel"),
    queue: Text.optional().describe("Only reviews in this queue"),
    fid: FidParameter.optional().describe("Only reviews of this user"),
    ...paging,
  }),
  result: ReviewPage,
  async run(context, { channel, queue, fid, cursor, limit }) {
    const viewed = await listViewed(context, channel);
    const found = await listOpenItems(context.database.query, {
      guildId: context.actor.guildId,
      channelIds: channel === undefined ? viewed : [channel],
      queue,
      fid,
      after: readPosition(cursor) ?? 0,
      limit: limit + 1,
    });
    const { shown, more } = cutPage(found, limit, ({ id }) => id);
    const ids = shown.map(({ id }) => id);
    const reviews = await readReviews(context.database.query, ids, context.clock.now());
    const records = ids
      .flatMap((id) => reviews.get(id) ?? [])
      .map((review) => toReviewRecord(review, viewed));
    return { reviews: records, ...more };
  },
});

const getReview = read({
  id: "getReview",
  path: "/reviews/{number}",
  summary: "Get a review",
  description: "One review, open or decided. Needs `view`.",
  input: z.strictObject({ number: ReviewParameter }),
  result: ReviewRecord,
  async run(context, { number }) {
    const viewed = await listViewed(context);
    const id = readNumber("review", number);
    const review = (await readReviews(context.database.query, [id], context.clock.now())).get(id);
    if (review && isOfServer(review, context.actor.guildId, viewed)) return toReviewRecord(review, viewed);
    throw new AppError(
      "not_found",
      `There is no review ${showNumber("review", id)} that this token may view.`,
    );
  },
});

const listServerBulks = read({
  id: "listBulks",
  path: "/bulks",
  summary: "List bulks",
  description: "Actions on many targets, newest first, with their progress. Needs `view`.",
  input: z.strictObject(paging),
  result: BulkPage,
  async run(context, { cursor, limit }) {
    const viewed = await listViewed(context);
    const { bulks, ...more } = await readBulkPage(context, viewed, cursor, limit);
    return { bulks: bulks.map(toBulkRecord), ...more };
  },
});

/** Latest cases that are shown of a person. */
const latest = 10;

const getPerson = read({
  id: "getPerson",
  path: "/people/{fid}",
  summary: "Get a person",
  description:
    "What Castellan knows of a Farcaster user in the channels that the token may view. Needs `view`.",
  input: z.strictObject({ fid: FidParameter.describe("Farcaster id") }),
  result: PersonRecord,
  async run(context, { fid }) {
    const { database, clock, actor } = context;
    const { query } = database;
    const { guildId } = actor;
    const channelIds = await listViewed(context);
    const banOf = (channelId: string) => targetKey({ channelId, kind: "ban", targetFid: fid });
    const [{ places }, casts, counts, cases, marks, bans, name] = await Promise.all([
      readPlaces(query, channelIds, fid),
      countCastsIn(query, channelIds, fid),
      countCasesAgainst(query, guildId, channelIds, fid),
      listCasesAbout(query, guildId, channelIds, fid, latest),
      readMarks(query, clock, { guildId, channelIds, fid }),
      readStandingBans(query, channelIds.map(banOf)),
      findName(context, fid),
    ]);
    return {
      fid,
      name: name ?? null,
      channels: places.map(({ channelId: channel, staff, since }) => {
        const untilMs = bans.get(banOf(channel))?.untilMs ?? null;
        const isBanned = since.bans !== undefined;
        return {
          channel,
          role: staff ?? (since.members === undefined ? null : ("member" as const)),
          isBanned,
          bannedUntil: isBanned && untilMs !== null ? toTime(untilMs) : null,
          strikePoints: marks.points.get(channel) ?? 0,
          castsSeen: casts.get(channel)?.seen ?? 0,
          castsHidden: casts.get(channel)?.hidden ?? 0,
          cases: counts.flatMap(({ channelId, kind, count }) =>
            channelId === channel ? [{ action: kind, count }] : [],
          ),
        };
      }),
      latestCases: cases.map(toCaseRecord),
    };
  },
});

/** The channels that the token may view; at least one, and `channel`. Throws `not_allowed`. */
async function listViewed(context: CommandContext, channel?: string): Promise<string[]> {
  if (channel !== undefined) await authorize(context, context.actor, channel, "view");
  return authorizeIn(context, context.actor, "view");
}

function isOfServer(review: HeldReview, guildId: string, viewed: readonly string[]): boolean {
  return review.guildId === guildId && review.channels.some(({ channelId }) => viewed.includes(channelId));
}

export const readOperations: readonly ReadOperation[] = [
  listChannels,
  listChannelCases,
  getCase,
  listReviews,
  getReview,
  listServerBulks,
  getPerson,
];

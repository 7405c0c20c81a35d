import { z } from "zod";
import { caseKinds } from "../moderation/cases/case.ts";
import { caseStates } from "../database/tables/case-states.ts";

/** What the answers consist of. The OpenAPI document has each under its name. */
export const schemas = z.registry<{ id: string }>();

function named<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  const described = schema.describe(description);
  schemas.add(described, { id });
  return described;
}

const Time = z.string().describe("ISO 8601, UTC");
const Discord = z.string().describe("Discord user id");
const DiscordOrOperator = z.string().describe("Discord user id, or operator for the command line");
const Fid = z.int().describe("Farcaster id");
const CaseNumber = z
  .string()
  .describe("Such as C-12; unique in its server, older numbers only in their channel");
const Channel = z.string().describe("Channel id, such as memes");

export const Doer = named(
  "Doer",
  "Who did something: a person, a rule, or somebody outside Castellan.",
  z.object({
    kind: z.enum(["person", "rule", "outside"]),
    userId: DiscordOrOperator.nullable(),
    fid: Fid.nullable(),
    token: z.string().nullable().describe("Name of the API token that acted in the person's name"),
    rule: z.string().nullable().describe("Id of the rule, or of the review's rule where a person decided"),
  }),
);

export const CaseRecord = named(
  "Case",
  "One moderation action and what became of it.",
  z.object({
    number: CaseNumber,
    channel: Channel,
    action: z.enum(caseKinds),
    state: z.enum(caseStates).describe("requested: not settled yet; already: there was nothing to do"),
    requestedAt: Time,
    settledAt: Time.nullable(),
    fid: Fid.nullable().describe("The user it concerns"),
    castHash: z.string().nullable(),
    by: Doer,
    reason: z.string().nullable(),
    note: z.string().nullable().describe("For moderators only"),
    endsAt: Time.nullable().describe("When a ban was meant to end; null for a permanent one"),
    outcome: z.string().nullable().describe("What the network answered, in words"),
  }),
);

const next = z.string().optional().describe("`cursor` of the next page; absent on the last one");

export const CasePage = named(
  "CasePage",
  "Cases of a channel, newest first.",
  z.object({ cases: z.array(CaseRecord), next }),
);

export const ReviewRecord = named(
  "Review",
  "Something that a rule or a report queued for a person to decide.",
  z.object({
    number: z.string().describe("Such as R-3; unique in the server"),
    queue: z.string(),
    rule: z.string(),
    fid: Fid.nullable(),
    name: z.string().nullable(),
    castHash: z.string().nullable(),
    text: z.string().nullable().describe("The cast, name or appeal as it was, or a note that it was erased"),
    why: z.string().nullable().describe("Why a rule that acts did not"),
    proposes: z.array(z.string()).describe("What `approve` does, in words"),
    queuedAt: Time,
    claimedBy: Discord.nullable(),
    escalatedBy: Discord.nullable().describe("Left to the channel's owner; no token can decide it"),
    reports: z.int().describe("How many members reported it"),
    appealsCase: CaseNumber.nullable(),
    strikePoints: z.int(),
    channels: z.array(
      z.object({
        channel: Channel,
        state: z.enum(["open", "approved", "hidden", "banned", "dismissed"]),
        decidedBy: Discord.nullable(),
        decidedToken: z.string().nullable(),
      }),
    ),
  }),
);

export const ReviewPage = named(
  "ReviewPage",
  "Open reviews, oldest first.",
  z.object({ reviews: z.array(ReviewRecord), next }),
);

export const BulkRecord = named(
  "Bulk",
  "One action on many targets.",
  z.object({
    number: z.string().describe("Such as B-2; unique in the server"),
    channel: Channel.describe("The first of `channels`"),
    channels: z.array(Channel).describe("Those of its channels that the token may view"),
    action: z.enum(["hide", "unhide", "ban", "unban", "invite", "undo"]),
    selection: z.string().describe("What was chosen, in words"),
    reason: z.string().nullable(),
    requestedBy: DiscordOrOperator,
    targets: z.int(),
    settled: z.int(),
    failed: z.int(),
    begunAt: Time,
    endedAt: Time.nullable(),
    stoppedBy: Discord.nullable(),
  }),
);

export const BulkPage = named(
  "BulkPage",
  "Bulks, newest first.",
  z.object({ bulks: z.array(BulkRecord), next }),
);

export const ChannelList = named(
  "ChannelList",
  "Channels in which the token may do something.",
  z.object({
    channels: z.array(
      z.object({
        channel: Channel,
        name: z.string().nullable(),
        may: z.array(z.string()).describe("Capabilities that both the token and its owner have there"),
      }),
    ),
  }),
);

export const PersonRecord = named(
  "Person",
  "What is known of a user in the channels that the token may view.",
  z.object({
    fid: Fid,
    name: z.string().nullable(),
    channels: z.array(
      z.object({
        channel: Channel,
        role: z.enum(["owner", "moderator", "member"]).nullable(),
        isBanned: z.boolean(),
        bannedUntil: Time.nullable().describe("null where there is no end, or no ban"),
        strikePoints: z.int(),
        castsSeen: z.int(),
        castsHidden: z.int(),
        cases: z.array(z.object({ action: z.enum(caseKinds), count: z.int() })),
      }),
    ),
    latestCases: z.array(CaseRecord),
  }),
);

export const Acted = named(
  "Acted",
  "What an action did: its cases, or none where there was nothing to do.",
  z.object({
    cases: z.array(CaseRecord),
    message: z.string().describe("The same answer that Discord shows, in Discord's Markdown"),
  }),
);

const Server = z.string().describe("Discord server id");
const happened = { timestamp: Time.describe("When it happened; ISO 8601, UTC") };

/** The bodies of webhooks' calls, by type. */
export const webhookPayloads = {
  ping: named(
    "Ping",
    "Sent once when the webhook is created.",
    z.object({ type: z.literal("ping"), ...happened, data: z.object({ server: Server }) }),
  ),
  "case.opened": named(
    "CaseOpened",
    "Somebody or a rule requested an action, or somebody acted outside Castellan.",
    z.object({
      type: z.literal("case.opened"),
      ...happened,
      data: z.object({ server: Server, case: CaseRecord }),
    }),
  ),
  "case.settled": named(
    "CaseSettled",
    "The result of an action is known, or it changed.",
    z.object({
      type: z.literal("case.settled"),
      ...happened,
      data: z.object({ server: Server, case: CaseRecord }),
    }),
  ),
  "review.opened": named(
    "ReviewOpened",
    "Something waits for a person to decide.",
    z.object({
      type: z.literal("review.opened"),
      ...happened,
      data: z.object({ server: Server, review: ReviewRecord }),
    }),
  ),
  "rule.hit": named(
    "RuleHit",
    "A rule matched. In mode shadow it does nothing else; in mode review it opens a review instead.",
    z.object({
      type: z.literal("rule.hit"),
      ...happened,
      data: z.object({
        server: Server,
        channel: Channel.nullable(),
        rule: z.string(),
        mode: z.string().describe("enforce or shadow"),
        fid: Fid.nullable(),
        castHash: z.string().nullable(),
        actions: z.array(z.string()).describe("The rule's actions in words"),
      }),
    }),
  ),
  health: named(
    "Health",
    "The setup changed, or Castellan cannot do its work in part. The texts are those of the post, in Discord's Markdown.",
    z.object({
      type: z.literal("health"),
      ...happened,
      data: z.object({
        server: Server,
        channel: Channel.nullable().describe("null if it concerns all channels"),
        kind: z.string().describe("Such as lockdown.changed, setup.changed or gap.found"),
        title: z.string(),
        text: z.string(),
      }),
    }),
  ),
};

export const Problem = named(
  "Problem",
  "An error (RFC 9457).",
  z.object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    code: z.string().describe("What programs go by"),
    detail: z.string().describe("What happened and what to do, for people"),
  }),
);

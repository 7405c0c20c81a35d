import { z } from "zod";
import {
  Address,
  CastHash,
  ChannelId,
  Fid,
  GivenSeconds,
  MessageSeconds,
  Text,
} from "../../contract/values.ts";
import { explainIssue } from "../../text/explain-issue.ts";
import { Platform } from "../../contract/verifications.ts";
import { isName } from "../domain/name-transfer.ts";
import { normalizeKey } from "../domain/token.ts";
import { maxListed, pointer, type Mistakes } from "./mistakes.ts";
import { createYield } from "../../async.ts";

/** Property of an issue that holds the number of mistakes it stands for. */
const unlisted = "unlistedMistakes";

/**
 * An array inside a record, which may be as long as the file: it yields to the event loop, and only counts the mistakes
 * beyond those listed. For `parseAsync`; cannot be nested.
 */
function list<T extends z.ZodType>(element: T, most = Infinity) {
  return z
    .custom<readonly unknown[]>(Array.isArray, "must be an array")
    .refine((values) => values.length <= most, {
      message: `has too many entries: at most ${most}`,
      abort: true,
    })
    .transform(async (values, context): Promise<z.output<T>[]> => {
      const records: z.output<T>[] = [];
      const yieldToEventLoop = createYield();
      let more = 0;
      for (const [index, value] of values.entries()) {
        const parsed = element.safeParse(value, { error: explainIssue });
        if (parsed.success) records.push(parsed.data);
        else {
          for (const { path, message } of parsed.error.issues) {
            if (context.issues.length >= maxListed) more += 1;
            else context.issues.push({ code: "custom", message, path: [index, ...path], input: value });
          }
        }
        await yieldToEventLoop();
      }
      if (more > 0) context.issues.push({ code: "custom", params: { [unlisted]: more }, input: values });
      return records;
    });
}

/** The number of further mistakes that an issue stands for, which have no issues of their own. */
function unlistedIn(issue: z.core.$ZodIssue): number {
  return issue.code === "custom" ? Number(issue.params?.[unlisted] ?? 0) : 0;
}

const Url = Text.pipe(z.url());
const Milliseconds = z.int().min(0);
const Count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const Account = z.object({
  fid: Fid,
  custodyAddress: Address,
  username: z.string().refine(isName, "must be 1 to 16 of a-z, 0-9 and -, not starting with -").optional(),
  appKeys: list(
    z
      .string()
      .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be an Ed25519 public key in 64 hex digits")
      .transform(normalizeKey),
  ).default([]),
  creditBalance: Count.default(0),
});

const Channel = z
  .object({
    id: ChannelId,
    name: Text.min(1),
    url: Text.min(1),
    description: Text.optional(),
    descriptionMentions: list(Fid).default([]),
    descriptionMentionsPositions: list(Count).default([]),
    imageUrl: Text.default(""),
    headerImageUrl: Text.optional(),
    leadFid: Fid.optional(),
    moderatorFids: list(Fid, 10).default([]),
    memberFids: list(Fid).default([]),
    publicCasting: z.boolean().default(true),
    createdAt: GivenSeconds.optional(),
    externalLink: z.object({ title: Text, url: Text }).optional(),
    pinnedCastHash: CastHash.optional(),
  })
  .refine((channel) => channel.descriptionMentions.length === channel.descriptionMentionsPositions.length, {
    path: ["descriptionMentionsPositions"],
    message: "must have as many entries as descriptionMentions",
  });

const Cast = z.object({
  hash: CastHash,
  fid: Fid,
  text: Text.max(10_000),
  channelId: ChannelId.optional(),
  parentHash: CastHash.optional(),
  mentions: list(Fid, 10).default([]),
  embeds: list(z.object({ url: Url }), 4).default([]),
  timestamp: MessageSeconds.optional(),
});

const Action = z.object({
  name: Text.min(1),
  icon: Text,
  description: Text,
  aboutUrl: Url,
  actionUrl: Url,
  action: z.object({ actionType: z.literal("post"), postUrl: Url }),
  totalUsers: z.int().min(0).default(0),
});

const Winner = z.object({
  fid: Fid,
  score: z.number(),
  rank: Count.min(1),
  rewardCents: z.int().min(0),
  walletAddress: Text.optional(),
});

const period = <W extends z.ZodType>(winner: W) =>
  z
    .object({
      periodStartTimestamp: Milliseconds,
      periodEndTimestamp: Milliseconds,
      winners: list(winner).default([]),
    })
    .refine((period) => period.periodEndTimestamp >= period.periodStartTimestamp, {
      path: ["periodEndTimestamp"],
      message: "is before periodStartTimestamp",
    });

const PrimaryAddress = z.discriminatedUnion("protocol", [
  z.object({ fid: Fid, protocol: z.literal("ethereum"), address: Address }),
  z.object({
    fid: Fid,
    protocol: z.literal("solana"),
    address: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "must be 32 to 44 base58 characters"),
  }),
]);

/** The kinds of records in a network file (docs/operate/hosting.md), in the order of the checks. */
export const recordSchemas = {
  accounts: Account,
  channels: Channel,
  channelFollows: z.object({ fid: Fid, channelId: ChannelId, followedAt: GivenSeconds.optional() }),
  userFollows: z.object({ fid: Fid, targetFid: Fid }),
  casts: Cast,
  botAllowlist: Fid,
  actions: Action,
  composerActions: Action.extend({ imageUrl: Url, featuredRank: Count.optional() }),
  verifications: z.object({
    fid: Fid,
    platform: Platform,
    platformId: Text.min(1),
    platformUsername: Text.min(1),
    verifiedAt: GivenSeconds,
  }),
  creatorRewards: period(Winner.extend({ username: Text.optional() })),
  developerRewards: period(Winner.extend({ domain: Text, frameName: Text })),
  primaryAddresses: PrimaryAddress,
  starterPacks: z.object({
    id: Text.min(1).max(256),
    members: list(z.object({ fid: Fid, memberAt: Milliseconds })).default([]),
  }),
};

export type Kind = keyof typeof recordSchemas;
export type RecordOf<K extends Kind> = z.output<(typeof recordSchemas)[K]>;

// An object literal's keys are the keys of its type.
export const kinds = Object.keys(recordSchemas) as Kind[];

/** A file's records, each with a valid format; `undefined` stands for an invalid one. */
export type NetworkFile = { [K in Kind]: (RecordOf<K> | undefined)[] };

/** The name by which other records mention this one. */
const mentionedBy: Partial<Record<Kind, string>> = { accounts: "fid", channels: "id", casts: "hash" };

/**
 * Reads every record by its schema; mistakes have JSON pointers as paths. `unreadable` collects invalid records by kind
 * and name, so that references to them are not reported as missing.
 */
export async function readRecords(
  input: Readonly<Record<string, unknown>>,
  mistakes: Mistakes,
  unreadable: Set<string> = new Set(),
): Promise<NetworkFile> {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(recordSchemas, name)) {
      mistakes.add({ path: pointer(name), message: `is not a known kind of record (${kinds.join(", ")})` });
    }
  }
  const file: Partial<Record<Kind, unknown[]>> = {};
  for (const kind of kinds) file[kind] = await readKind(kind, input[kind], mistakes, unreadable);
  // Each kind was read with its own schema.
  return file as NetworkFile;
}

async function readKind<K extends Kind>(
  kind: K,
  value: unknown,
  mistakes: Mistakes,
  unreadable: Set<string>,
): Promise<(RecordOf<K> | undefined)[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    mistakes.add({ path: pointer(kind), message: "must be an array" });
    return [];
  }
  const yieldToEventLoop = createYield();
  const records: (RecordOf<K> | undefined)[] = [];
  for (const [index, record] of value.entries()) {
    const parsed = await recordSchemas[kind].safeParseAsync(record, { error: explainIssue });
    // The schema of this kind returns this kind's record.
    if (parsed.success) records.push(parsed.data as RecordOf<K>);
    else {
      records.push(undefined);
      noteUnreadable(kind, record, unreadable);
      for (const issue of parsed.error.issues) {
        const unlisted = unlistedIn(issue);
        if (unlisted > 0) mistakes.addUnlisted(unlisted);
        else mistakes.add({ path: pointer(kind, index, ...issue.path), message: issue.message });
      }
    }
    await yieldToEventLoop();
  }
  return records;
}

function noteUnreadable(kind: Kind, record: unknown, unreadable: Set<string>): void {
  const field = mentionedBy[kind];
  if (field === undefined || typeof record !== "object" || record === null) return;
  const name: unknown = Reflect.get(record, field);
  if (typeof name === "string" || typeof name === "number") unreadable.add(unreadableKey(kind, name));
}

export function unreadableKey(kind: Kind, name: string | number): string {
  return `${kind} ${String(name).toLowerCase()}`;
}

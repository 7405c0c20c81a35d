import type { Mistake } from "../../errors.ts";
import { createPace } from "./pace.ts";
import { pointer } from "./read-records.ts";
import { kinds, type Kind, type NetworkFile, type RecordOf } from "./records.ts";

/** A record's mention of another: `field` is the path inside the record. */
export type Reference =
  | { to: "account"; key: number; field: PropertyKey[] }
  | { to: "channel" | "cast"; key: string; field: PropertyKey[] };

const account = (key: number, ...field: PropertyKey[]): Reference => ({ to: "account", key, field });
const accounts = (keys: number[], name: string) => keys.map((key, index) => account(key, name, index));
const winners = ({ winners }: { winners: { fid: number }[] }) =>
  winners.map(({ fid }, index) => account(fid, "winners", index, "fid"));
const channel = (key: string): Reference => ({ to: "channel", key, field: ["channelId"] });
const cast = (key: string | undefined, field: string): Reference[] =>
  key === undefined ? [] : [{ to: "cast", key, field: [field] }];

const referencesOf: { [K in Kind]: (record: RecordOf<K>) => Reference[] } = {
  accounts: () => [],
  channels: ({ leadFid, moderatorFids, memberFids, descriptionMentions, pinnedCastHash }) => [
    ...(leadFid === undefined ? [] : [account(leadFid, "leadFid")]),
    ...accounts(moderatorFids, "moderatorFids"),
    ...accounts(memberFids, "memberFids"),
    ...accounts(descriptionMentions, "descriptionMentions"),
    ...cast(pinnedCastHash, "pinnedCastHash"),
  ],
  channelFollows: ({ fid, channelId }) => [account(fid, "fid"), channel(channelId)],
  userFollows: ({ fid, targetFid }) => [account(fid, "fid"), account(targetFid, "targetFid")],
  casts: ({ fid, channelId, parentHash, mentions }) => [
    account(fid, "fid"),
    ...(channelId === undefined ? [] : [channel(channelId)]),
    ...cast(parentHash, "parentHash"),
    ...accounts(mentions, "mentions"),
  ],
  // An allowlist may name a bot that has no account yet.
  botAllowlist: () => [],
  actions: () => [],
  composerActions: () => [],
  verifications: ({ fid }) => [account(fid, "fid")],
  creatorRewards: winners,
  developerRewards: winners,
  primaryAddresses: ({ fid }) => [account(fid, "fid")],
  starterPacks: ({ members }) => members.map(({ fid }, index) => account(fid, "members", index, "fid")),
};

/** What the file's records mention, and what they are themselves. */
export interface Mentions {
  account: Set<number>;
  channel: Set<string>;
  cast: Set<string>;
}

export async function collectMentions(file: NetworkFile): Promise<Mentions> {
  const mentions: Mentions = { account: new Set(), channel: new Set(), cast: new Set() };
  for (const record of file.accounts) if (record) mentions.account.add(record.fid);
  for (const record of file.channels) if (record) mentions.channel.add(record.id);
  for (const record of file.casts) if (record) mentions.cast.add(record.hash);
  await eachReference(file, ({ reference }) => {
    if (reference.to === "account") mentions.account.add(reference.key);
    else mentions[reference.to].add(reference.key);
  });
  return mentions;
}

/** Mentions of what is neither in the file nor in the network. */
export async function findDangling(
  file: NetworkFile,
  known: { has(reference: Reference): boolean },
  mistakes: Mistake[],
): Promise<void> {
  const own = {
    account: new Set<unknown>(file.accounts.map((record) => record?.fid)),
    channel: new Set<unknown>(file.channels.map((record) => record?.id)),
    cast: new Set<unknown>(file.casts.map((record) => record?.hash)),
  };
  await eachReference(file, ({ kind, index, reference }) => {
    if (own[reference.to].has(reference.key) || known.has(reference)) return;
    mistakes.push({
      path: pointer(kind, index, ...reference.field),
      message: `there is no ${reference.to} ${reference.key}, neither in the file nor in the network`,
    });
  });
}

interface Visit {
  kind: Kind;
  index: number;
  reference: Reference;
}

async function eachReference(file: NetworkFile, visit: (visit: Visit) => void): Promise<void> {
  for (const kind of kinds) await eachReferenceOf(kind, file[kind], visit);
}

async function eachReferenceOf<K extends Kind>(
  kind: K,
  records: readonly (RecordOf<K> | undefined)[],
  visit: (visit: Visit) => void,
): Promise<void> {
  const pace = createPace();
  for (const [index, record] of records.entries()) {
    if (record === undefined) continue;
    for (const reference of referencesOf[kind](record)) visit({ kind, index, reference });
    await pace();
  }
}

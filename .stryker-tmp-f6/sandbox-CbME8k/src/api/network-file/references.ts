// @ts-nocheck
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

/** Keys of accounts, channels and casts. */
export interface Keys {
  account: Set<number>;
  channel: Set<string>;
  cast: Set<string>;
}

/** What the file's records are, and what they mention besides. */
export async function collectKeys(file: NetworkFile): Promise<{ own: Keys; mentioned: Keys }> {
  const own: Keys = { account: new Set(), channel: new Set(), cast: new Set() };
  const mentioned: Keys = { account: new Set(), channel: new Set(), cast: new Set() };
  const pace = createPace();
  for (const record of file.accounts) if (record) own.account.add(record.fid);
  for (const record of file.channels) if (record) own.channel.add(record.id);
  for (const record of file.casts) {
    if (record) own.cast.add(record.hash);
    await pace();
  }
  await eachReference(file, ({ reference }) => {
    if (has(own, reference)) return;
    if (reference.to === "account") mentioned.account.add(reference.key);
    else mentioned[reference.to].add(reference.key);
  });
  return { own, mentioned };
}

function has(keys: Keys, reference: Reference): boolean {
  if (reference.to === "account") return keys.account.has(reference.key);
  return keys[reference.to].has(reference.key);
}

/** Mentions of what is neither in the file nor in the network. */
export async function findDangling(
  file: NetworkFile,
  own: Keys,
  known: { has(reference: Reference): boolean },
  mistakes: Mistake[],
): Promise<void> {
  await eachReference(file, ({ kind, index, reference }) => {
    if (has(own, reference) || known.has(reference)) return;
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

import { pointer, type Mistakes } from "./mistakes.ts";
import { kinds, unreadableKey, type Kind, type NetworkFile, type RecordOf } from "./records.ts";
import { createYield } from "../../async.ts";

/** A value that must be unique among the records of a kind, and its path in the record. */
type Identity = readonly [field: string | undefined, value: string | number | undefined];

const identities: { [K in Kind]: (record: RecordOf<K>) => Identity[] } = {
  accounts: ({ fid, username }) => [
    ["fid", fid],
    ["username", username],
  ],
  channels: ({ id, url }) => [
    ["id", id],
    ["url", url],
  ],
  channelFollows: ({ fid, channelId }) => [[undefined, `${fid} ${channelId}`]],
  userFollows: ({ fid, targetFid }) => [[undefined, `${fid} ${targetFid}`]],
  casts: ({ hash }) => [["hash", hash]],
  botAllowlist: (fid) => [[undefined, fid]],
  actions: ({ actionUrl }) => [["actionUrl", actionUrl]],
  composerActions: ({ actionUrl }) => [["actionUrl", actionUrl]],
  verifications: ({ fid, platform, platformId }) => [[undefined, `${fid} ${platform} ${platformId}`]],
  creatorRewards: ({ periodStartTimestamp }) => [["periodStartTimestamp", periodStartTimestamp]],
  developerRewards: ({ periodStartTimestamp }) => [["periodStartTimestamp", periodStartTimestamp]],
  primaryAddresses: ({ fid, protocol }) => [[undefined, `${fid} ${protocol}`]],
  starterPacks: ({ id }) => [["id", id]],
};

/** Reports duplicates: an import cannot know which of two records is right. */
export async function findDuplicates(file: NetworkFile, mistakes: Mistakes): Promise<void> {
  for (const kind of kinds) await findDuplicatesOf(kind, file[kind], mistakes);
}

async function findDuplicatesOf<K extends Kind>(
  kind: K,
  records: readonly (RecordOf<K> | undefined)[],
  mistakes: Mistakes,
): Promise<void> {
  const yieldToEventLoop = createYield();
  const first = new Map<string, string>();
  for (const [index, record] of records.entries()) {
    if (record === undefined) continue;
    for (const [field, value] of identities[kind](record)) {
      if (value === undefined) continue;
      const path = field === undefined ? pointer(kind, index) : pointer(kind, index, field);
      const earlier = first.get(`${field} ${value}`);
      if (earlier === undefined) first.set(`${field} ${value}`, path);
      else mistakes.add({ path, message: `is the same as ${earlier}` });
    }
    await yieldToEventLoop();
  }
}

/** A record's reference to another: `field` is the path inside the record. */
export type Reference =
  | { to: "account"; key: number; field: PropertyKey[] }
  | { to: "channel" | "cast"; key: string; field: PropertyKey[] };

const account = (key: number, ...field: PropertyKey[]): Reference => ({ to: "account", key, field });
function* accounts(keys: readonly number[], name: string): Generator<Reference> {
  for (const [index, key] of keys.entries()) yield account(key, name, index);
}
function* accountsIn(records: readonly { fid: number }[], name: string): Generator<Reference> {
  for (const [index, { fid }] of records.entries()) yield account(fid, name, index, "fid");
}
const winners = ({ winners }: { winners: { fid: number }[] }) => accountsIn(winners, "winners");
const channel = (key: string): Reference => ({ to: "channel", key, field: ["channelId"] });
const cast = (key: string | undefined, field: string): Reference[] =>
  key === undefined ? [] : [{ to: "cast", key, field: [field] }];

/** Generated one at a time, because a record may have as many references as the file allows. */
const referencesOf: { [K in Kind]: (record: RecordOf<K>) => Iterable<Reference> } = {
  accounts: () => [],
  channels: function* ({ leadFid, moderatorFids, memberFids, descriptionMentions, pinnedCastHash }) {
    if (leadFid !== undefined) yield account(leadFid, "leadFid");
    yield* accounts(moderatorFids, "moderatorFids");
    yield* accounts(memberFids, "memberFids");
    yield* accounts(descriptionMentions, "descriptionMentions");
    yield* cast(pinnedCastHash, "pinnedCastHash");
  },
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
  starterPacks: ({ members }) => accountsIn(members, "members"),
};

/** Keys of accounts, channels and casts. */
export interface Keys {
  account: Set<number>;
  channel: Set<string>;
  cast: Set<string>;
}

/** The keys of the file's own records, and those that it mentions. */
export async function collectKeys(file: NetworkFile): Promise<{ own: Keys; mentioned: Keys }> {
  const own: Keys = { account: new Set(), channel: new Set(), cast: new Set() };
  const mentioned: Keys = { account: new Set(), channel: new Set(), cast: new Set() };
  const yieldToEventLoop = createYield();
  for (const record of file.accounts) if (record) own.account.add(record.fid);
  for (const record of file.channels) if (record) own.channel.add(record.id);
  for (const record of file.casts) {
    if (record) own.cast.add(record.hash);
    await yieldToEventLoop();
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

const kindsOf = { account: "accounts", channel: "channels", cast: "casts" } as const;

/**
 * Reports references to things that are neither in the file nor in the network. References to `unreadable` records are
 * skipped, because those records' own mistakes are reported.
 */
export async function findDangling(
  file: NetworkFile,
  own: Keys,
  known: { has(reference: Reference): boolean },
  unreadable: ReadonlySet<string>,
  mistakes: Mistakes,
): Promise<void> {
  await eachReference(file, ({ kind, index, reference }) => {
    if (has(own, reference) || known.has(reference)) return;
    if (unreadable.has(unreadableKey(kindsOf[reference.to], reference.key))) return;
    mistakes.add({
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
  const yieldToEventLoop = createYield();
  for (const [index, record] of records.entries()) {
    if (record === undefined) continue;
    for (const reference of referencesOf[kind](record)) {
      visit({ kind, index, reference });
      await yieldToEventLoop();
    }
    await yieldToEventLoop();
  }
}

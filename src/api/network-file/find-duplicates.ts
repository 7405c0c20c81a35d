import { createPace } from "./pace.ts";
import { pointer, type Mistakes } from "./mistakes.ts";
import { kinds, type Kind, type NetworkFile, type RecordOf } from "./records.ts";

/** What must differ between the records of a kind: where it stands in the record, and its value. */
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

/** Two records for one thing: an import cannot know which of them is meant. */
export async function findDuplicates(file: NetworkFile, mistakes: Mistakes): Promise<void> {
  for (const kind of kinds) await findDuplicatesOf(kind, file[kind], mistakes);
}

async function findDuplicatesOf<K extends Kind>(
  kind: K,
  records: readonly (RecordOf<K> | undefined)[],
  mistakes: Mistakes,
): Promise<void> {
  const pace = createPace();
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
    await pace();
  }
}

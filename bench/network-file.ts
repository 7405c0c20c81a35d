import { custodyOf } from "../test/support/signing.ts";

/** A network file with that many records: accounts, follows, casts and verifications, in equal parts. */
export function makeNetworkFile(records: number): string {
  const quarter = Math.floor(records / 4);
  const each = <T>(make: (index: number) => T) => Array.from({ length: quarter }, (_, index) => make(index));
  const { address } = custodyOf(1);
  const founded = 1_690_000_000;
  const owner = 1_000_000;
  const fidOf = (index: number) => owner + index;
  const hashOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}`;
  const channel = {
    id: "memes",
    name: "Memes",
    url: "https://castle.test/~/channel/memes",
    leadFid: owner,
    createdAt: founded,
  };
  return JSON.stringify({
    accounts: each((index) => ({ fid: fidOf(index), custodyAddress: address, username: `person${index}` })),
    channels: [channel],
    channelFollows: each((index) => ({
      fid: fidOf(index),
      channelId: channel.id,
      followedAt: founded + index,
    })),
    casts: each((index) => ({
      hash: hashOf(index),
      fid: fidOf(index),
      text: `Cast ${index} of many`,
      channelId: channel.id,
      timestamp: founded + index,
    })),
    verifications: each((index) => ({
      fid: fidOf(index),
      platform: "discord",
      platformId: String(80_351_110_224_678_912n + BigInt(index)),
      platformUsername: `person${index}`,
      verifiedAt: founded,
    })),
  });
}

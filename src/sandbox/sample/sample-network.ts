import { describeCast, hashMessageData } from "../../contract/message-data.ts";
import type { SandboxAccount } from "./accounts.ts";
import { personas, firstResidentFid, outsideModeratorFid } from "./personas.ts";
import { makeSampleCatalog } from "./sample-catalog.ts";
import { gardenTalk, marketTalk, memeTalk, replies } from "./phrases.ts";

const hour = 3600;

interface SampleCast {
  hash: string;
  fid: number;
  text: string;
  timestamp: number;
  channelId?: string;
  parentHash?: string;
}

/**
 * The sample network as a network file (docs/operate/hosting.md): four channels, the personas and the residents, two days of
 * casts. `garden` waits to be linked; in `night-market` the bot moderates from the start. `now` is in UNIX seconds.
 */
export function makeSampleNetwork(accounts: readonly SandboxAccount[], botFid: number, now: number): object {
  const residents = accounts.filter(({ fid }) => fid >= firstResidentFid).map(({ fid }) => fid);
  const gardeners = [3, ...residents.slice(1, 10)];
  const traders = [3, ...residents.slice(6, 18)];
  return {
    accounts: accounts.map(({ fid, name, custodyAddress, appPublicKey }) => ({
      fid,
      custodyAddress,
      username: name,
      appKeys: [appPublicKey],
    })),
    botAllowlist: [botFid],
    channels: [
      channel("garden", "Night Garden", "Plants that bloom after dark.", now - 90 * 24 * hour, {
        leadFid: 1,
        moderatorFids: [2],
        memberFids: gardeners,
      }),
      channel("night-market", "Night Market", "Stalls, swaps and finds.", now - 60 * 24 * hour, {
        leadFid: 1,
        moderatorFids: [2, outsideModeratorFid, botFid],
        memberFids: traders,
      }),
      channel("memes", "Memes", "One picture, many words.", now - 200 * 24 * hour, {
        leadFid: residents[20] ?? outsideModeratorFid,
        moderatorFids: [residents[21] ?? 2],
        memberFids: residents.slice(12),
      }),
      channel("kitchen", "Kitchen", "What is on the stove.", now - 30 * 24 * hour, {
        leadFid: residents[5] ?? outsideModeratorFid,
        moderatorFids: [],
        memberFids: residents.slice(3, 9),
      }),
    ],
    channelFollows: [
      ...[1, 2, 4, ...gardeners].map((fid, index) => follow(fid, "garden", now - (60 + index) * hour)),
      ...[1, 2, ...traders].map((fid, index) => follow(fid, "night-market", now - (40 + index) * hour)),
      ...residents.slice(8).map((fid, index) => follow(fid, "memes", now - (30 + index) * hour)),
    ],
    userFollows: [
      { fid: 4, targetFid: 1 },
      { fid: 3, targetFid: 2 },
    ],
    casts: [
      ...talk("garden", gardenTalk, gardeners, now),
      ...talk("night-market", marketTalk, traders, now),
      ...talk("memes", memeTalk, residents.slice(12), now),
    ],
    verifications: personas
      .filter(({ verified }) => verified)
      .map(({ fid, name, userId }) => ({
        fid,
        platform: "discord",
        platformId: userId,
        platformUsername: name,
        verifiedAt: now - 50 * 24 * hour + fid,
      })),
    ...makeSampleCatalog(
      accounts.filter(({ fid }) => fid >= firstResidentFid),
      now,
    ),
  };
}

function urlOf(channelId: string): string {
  return `https://sandbox.castellan.example/~/channel/${channelId}`;
}

interface Roles {
  leadFid: number;
  moderatorFids: number[];
  memberFids: number[];
}

function channel(id: string, name: string, description: string, createdAt: number, roles: Roles): object {
  const url = urlOf(id);
  return { id, name, url, description, imageUrl: `${url}.png`, publicCasting: true, createdAt, ...roles };
}

function follow(fid: number, channelId: string, followedAt: number): object {
  return { fid, channelId, followedAt };
}

/** Root casts over the last two days, each with up to two replies. */
function talk(
  channelId: string,
  texts: readonly string[],
  fids: readonly number[],
  now: number,
): SampleCast[] {
  return texts.flatMap((text, index) => {
    const timestamp = now - Math.floor(((texts.length - index) * 47 * hour) / texts.length);
    const root = sampleCast(pick(fids, index), text, timestamp, { channelId });
    const answers = [0, 1].slice(0, index % 3).map((nth) => {
      const author = pick(fids, index + nth + 3);
      return sampleCast(author, pick(replies, index * 2 + nth), timestamp + 600 * (nth + 1), {
        parent: root,
      });
    });
    return [root, ...answers];
  });
}

/** The cast's hash is its message's hash, so that it can be signed. */
function sampleCast(
  fid: number,
  text: string,
  timestamp: number,
  place: { channelId: string } | { parent: SampleCast },
): SampleCast {
  const content = { fid, text, timestamp, mentions: [], embeds: [] };
  if ("parent" in place) {
    const hash = hashMessageData(describeCast({ ...content, parent: place.parent }));
    return { hash, fid, text, timestamp, parentHash: place.parent.hash };
  }
  const { channelId } = place;
  const hash = hashMessageData(describeCast({ ...content, parentUrl: urlOf(channelId) }));
  return { hash, fid, text, timestamp, channelId };
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

import { personas } from "../../src/sandbox/sample/personas.ts";
import { custodyOf, keyOf } from "../support/signing.ts";
import { castHash } from "../support/seed.ts";

export const channelId = "garden";
export const botFid = 9001;
/** Moderates the channel too, but without Castellan. */
export const outsiderFid = 6;
export const moderators = ["ada", "mo"] as const;
export type Moderator = (typeof moderators)[number];

/** A moderator's id in the chat. */
export function userOf(moderator: Moderator): string {
  return personas.find(({ name }) => name === moderator)?.userId ?? "";
}

export interface TownCast {
  hash: string;
  text: string;
}

/** What each acts on, and nobody else: so what came of it can be told from the others' doing. */
export const casts = {
  ada: castsOf("ada", 100, 4),
  mo: castsOf("mo", 200, 4),
  outsider: castsOf("outsider", 300, 8),
  pins: castsOf("pins", 400, 3),
};
export const trolls = { ada: range(31, 4), mo: range(41, 4) };

/** Who registers names and gives them back. */
export const registrants = range(51, 16);
export const speakers = range(11, 10);

/** The network file: two moderators with Discord accounts, one without, the bot, and what they act on. */
export async function makeTown(now: number): Promise<object> {
  const acting = [1, 2, outsiderFid, botFid];
  const silent = [...speakers, ...trolls.ada, ...trolls.mo, ...registrants];
  const withKey = await Promise.all(
    acting.map(async (fid) => ({ ...account(fid), appKeys: [await keyOf(fid)] })),
  );
  return {
    accounts: [...withKey, ...silent.map(account)],
    botAllowlist: [botFid],
    channels: [
      {
        id: channelId,
        name: "Night Garden",
        url: `https://castle.example/~/channel/${channelId}`,
        description: "Plants that bloom after dark.",
        imageUrl: "https://castle.example/garden.png",
        leadFid: 1,
        moderatorFids: [2, outsiderFid, botFid],
        memberFids: speakers,
        publicCasting: true,
        createdAt: now - 86_400,
      },
    ],
    casts: Object.values(casts)
      .flat()
      .map((cast, index) => ({ ...cast, fid: 11 + (index % 10), channelId, timestamp: now - 3000 + index })),
    verifications: personas
      .filter(({ name }) => moderators.some((moderator) => moderator === name))
      .map(({ fid, userId, name }) => ({
        fid,
        platform: "discord",
        platformId: userId,
        platformUsername: name,
        verifiedAt: now - 3000,
      })),
  };
}

function account(fid: number) {
  return { fid, custodyAddress: custodyOf(fid).address };
}

function castsOf(owner: string, first: number, count: number): TownCast[] {
  return range(first, count).map((number) => ({ hash: castHash(number), text: `${owner} cast ${number}` }));
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

import { systemClock } from "../src/clock.ts";
import type { Database } from "../src/database/database.ts";
import { insertFeed } from "../src/feed/feeds.ts";
import { usualFeedKinds } from "../src/feed/feed-kinds.ts";
import { parseRules } from "../src/rules/language/parse-rules.ts";
import { saveRules } from "../src/rules/versions/rules-of-server.ts";
import { custodyOf, keyOf } from "../test/support/signing.ts";
import type { FleetNews } from "./fleet-discord.ts";

const rulesEach = 20;
export const botFid = 9001;
const owner = 1;
export const speakers = Array.from({ length: 2000 }, (_, index) => 10_000 + index);

export const channelOf = (index: number) => `channel-${index}`;

/** A network with that many channels, of which the first half is linked. */
export async function makeNetwork(channels: number, ownerId: string): Promise<object> {
  const account = (fid: number) => ({ fid, custodyAddress: custodyOf(fid).address });
  const acting = [owner, botFid].map(async (fid) => ({ ...account(fid), appKeys: [await keyOf(fid)] }));
  return {
    accounts: [...(await Promise.all(acting)), ...speakers.map(account)],
    botAllowlist: [botFid],
    verifications: [
      {
        fid: owner,
        platform: "discord",
        platformId: ownerId,
        platformUsername: "owner",
        verifiedAt: 1_600_000_000,
      },
    ],
    channels: Array.from({ length: channels }, (_, index) => ({
      id: channelOf(index),
      name: `Channel ${index}`,
      url: `https://castle.example/~/channel/${channelOf(index)}`,
      leadFid: owner,
      moderatorFids: [botFid],
      memberFids: speakers.slice(index % 1000, (index % 1000) + 5),
      publicCasting: true,
    })),
  };
}

type Fleet = Pick<Extract<FleetNews, { kind: "ready" }>, "servers" | "ownerId">;

/** Links, a role that may do everything, rules and a feed, as if people had made them. */
export async function seedServers(
  database: Database,
  { servers, ownerId }: Fleet,
  each: number,
): Promise<void> {
  const now = Date.now();
  const ruleSet = parseRules(
    JSON.stringify({
      version: 1,
      defaults: { mode: "enforce", exempt: ["owner", "moderators"] },
      rules: Array.from({ length: rulesEach }, (_, index) => ({
        id: `scam-${index}`,
        on: ["cast.created"],
        when: { text: { matches: `(?i)claim.{0,20}airdrop ${index}\\b` } },
        then: [{ hide: {} }],
      })),
    }),
  );
  for (const [index, { guildId, roomId, roleId }] of servers.entries()) {
    const own = Array.from({ length: each }, (_, nth) => channelOf(index * each + nth));
    await database.transaction(async (tx) => {
      await tx
        .insertInto("castellan.links")
        .values(
          own.map((id) => ({
            guild_id: guildId,
            channel_id: id,
            channel_url: `https://castle.example/~/channel/${id}`,
            channel_name: id,
            linked_by: ownerId,
            linked_at_ms: now,
            verified_at_ms: now,
          })),
        )
        .execute();
      await tx
        .insertInto("castellan.capabilities")
        .values(
          own.flatMap((id) =>
            (["view", "hide", "ban", "undo"] as const).map((capability) => ({
              guild_id: guildId,
              channel_id: id,
              role_id: roleId,
              capability,
            })),
          ),
        )
        .execute();
      const rules = { guildId, ruleSet, change: "import", savedBy: ownerId, savedAt: now, baseVersion: 0 };
      await saveRules(tx, rules);
      const scope = { channelIds: null, kinds: [...usualFeedKinds], namePattern: null, peopleOnly: true };
      await insertFeed({ clock: systemClock }, tx, { guildId, roomId, createdBy: ownerId, ...scope });
    });
  }
}

/** A cast that one rule of each server hides. */
export const scamText = (number: number) => `Claim your airdrop ${number % rulesEach}`;

import { setTimeout as sleep } from "node:timers/promises";
import type { ModerationAction } from "../../src/contract/casts.ts";
import { connectDirectory, connectServer } from "../../src/database/connect.ts";
import type { CaseRow } from "../../src/moderation/cases/case.ts";
import { pages } from "../../src/contract/pages.ts";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createTypist, readWholeRoom, type ChatMessage } from "./chat.ts";
import type { Site } from "./site.ts";
import { channelId } from "./town.ts";
import { insist, type Scene } from "./traffic.ts";

/** What is to be seen in the end, on the network and in the rooms. */
export interface Evidence {
  /** Name proofs after the link, in the hub's order. */
  proofs: { name: string; fid: number }[];
  /** Moderation records, oldest first. */
  records: ModerationAction[];
  banned: Set<number>;
  pinned: string | undefined;
  /** Casts whose pins were announced to the followers. */
  announced: string[];
  /** The room that hears of everything usual, oldest first; and the one that hears of cases. */
  feed: ChatMessage[];
  caseFeed: ChatMessage[];
}

export const feedRoom = sandboxRooms.gardenFeed;
export const caseRoom = sandboxRooms.marketFeed;

export async function lastEventId(scene: Scene): Promise<number> {
  const { events } = await insist(scene, () => scene.as().hub.events({ reverse: true, page_size: 1 }));
  return events[0]?.id ?? 0;
}

export async function gather(scene: Scene, sinceEvent: number): Promise<Evidence> {
  const network = scene.as();
  const records: ModerationAction[] = [];
  for await (const { moderationActions } of pages(network.moderatedCasts.list, { channelId, limit: 1000 })) {
    records.push(...moderationActions);
  }
  const { result: bans } = await network.channelBans.list({ channelId, limit: 1000 });
  const { notifications } = await scene.operator().notifications({ channelId });
  return {
    proofs: await readProofs(scene, sinceEvent),
    records: records.toReversed(),
    banned: new Set(bans.bannedUsers.map(({ fid }) => fid)),
    pinned: (await network.channels.get({ channelId })).channel.pinnedCastHash,
    announced: notifications.map(({ castHash }) => castHash),
    feed: await readWholeRoom(scene.site, "ada", feedRoom),
    caseFeed: await readWholeRoom(scene.site, "ada", caseRoom),
  };
}

async function readProofs(scene: Scene, sinceEvent: number): Promise<Evidence["proofs"]> {
  const network = scene.as();
  const proofs: Evidence["proofs"] = [];
  for (let last = sinceEvent; ;) {
    const { events } = await network.hub.events({ from_event_id: last, page_size: 1000 });
    const fresh = events.filter(({ id }) => id > last);
    if (fresh.length === 0) return proofs;
    for (const { id, mergeUsernameProofBody: body } of fresh) {
      last = id;
      if (body?.usernameProof) proofs.push({ name: body.usernameProof.name, fid: body.usernameProof.fid });
    }
  }
}

/**
 * Waits until the bot says itself that nothing is open, and nothing waits for rules or a room, for so long that it has
 * looked which cases changed nothing. Throws after five minutes.
 */
export async function untilCalm(scene: Scene): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  const end = performance.now() + 300_000;
  for (let calm = 0; calm < 10; await sleep(1500)) {
    const status = await insist(scene, () => ada.type("status"));
    const text = status.embeds.flatMap(({ fields }) => fields.map(({ value }) => value)).join("\n");
    const isDone = ["All are settled.", "All events are evaluated."].every((line) => text.includes(line));
    const isCalm = isDone && !/[1-9]\d* waiting|behind/.test(text);
    calm = isCalm ? calm + 1 : 0;
    if (performance.now() > end) throw new Error(`not calm after five minutes: ${text}`);
  }
}

/** The cases as the bot's own database has them, oldest first. The bot must have ended. */
export async function readCases({ database: place }: Site): Promise<CaseRow[]> {
  const database = place.startsWith("postgres") ? connectServer(place) : await connectDirectory(place);
  try {
    return await database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
  } finally {
    await database.close();
  }
}

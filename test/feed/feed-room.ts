import { afterAll, beforeAll, beforeEach } from "vitest";
import { deliver } from "../support/jobs.ts";
import type { FeedKind } from "../../src/feed/feed-kinds.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { hitSource, newEvent, type ChannelEvent, type EventContent } from "../../src/observe/events.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { guild } from "../support/observer.ts";
import { sendNow } from "../support/outbox.ts";
import { createWorld, people, seedChannel, type World } from "../support/world.ts";

export const room = "200000000000000001";
const { troll } = people;

/** A room that hears of all that happens in /memes. */
export interface FeedRoom {
  bot: World;
  rooms: StrictRooms;
  /** As each test begins. */
  start: () => Promise<void>;
  /** Stored together, as one reading shows them, and about the troll. */
  happen: (...contents: EventContent[]) => Promise<ChannelEvent[]>;
  happenTo: (fid: number, ...contents: EventContent[]) => Promise<ChannelEvent[]>;
  /** A case about the troll. */
  propose: (kind: "ban" | "unban", forSeconds?: number) => Promise<number>;
  deliverNow: () => Promise<void>;
  /** Title and text of each post. */
  shown: () => string[];
  titles: () => (string | undefined)[];
}

export const banned: EventContent = { kind: "user.banned", data: { at: 0 } };
export const unbanned: EventContent = { kind: "user.unbanned", data: {} };
export const restricted: EventContent = { kind: "user.restricted", data: { at: 0 } };
export const left: EventContent = { kind: "member.left", data: {} };

export function useFeedRoom(): FeedRoom {
  let made = 0;
  // Its parts are there when the first test begins.
  const scene = {
    async start() {
      const { bot } = scene;
      await bot.database.truncate();
      await seedChannel(bot, "memes", guild);
      scene.rooms = createStrictRooms(bot.clock);
      const kinds: FeedKind[] = [
        "bans",
        "members",
        "restrictions",
        "invites",
        "records",
        "rules",
        "pins",
        "health",
      ];
      const all = { channelIds: null, namePattern: null, peopleOnly: false };
      await addFeed(bot, { guildId: guild, roomId: room, kinds, ...all, createdBy: "1" });
    },
    happen: (...contents) => scene.happenTo(troll, ...contents),
    happenTo(fid, ...contents) {
      const events = contents.map((content) => {
        made += 1;
        return newEvent(scene.bot.clock.now(), {
          ...content,
          sourceKey:
            content.kind === "rule.hit" ? hitSource({ ...content.data, channelId: "memes" }) : `test:${made}`,
          channelId: "memes",
          subjectFid: fid,
        });
      });
      return scene.bot.happen(...events);
    },
    async propose(kind, forSeconds) {
      const { database, clock } = scene.bot;
      const about = { guildId: guild, channelId: "memes", kind, targetFid: troll, forSeconds };
      const actor = { userId: "1" };
      const { id } = await database.transaction((tx) => proposeCase(tx, clock, { ...about, actor }));
      return id;
    },
    async deliverNow() {
      await deliver(scene.bot, scene.rooms, room);
      await sendNow(scene.bot, scene.rooms);
    },
    shown: () =>
      scene.rooms
        .shown(room)
        .flatMap(({ embeds }) =>
          embeds.map(({ title = "", description = "" }) => `${title}\n${description}`),
        ),
    titles: () => scene.shown().map((text) => text.split("\n")[0]?.replace(/^[①-⑤] /, "")),
  } as FeedRoom;
  beforeAll(async () => void (scene.bot = await createWorld()));
  afterAll(() => scene.bot.database.close());
  beforeEach(() => scene.start());
  return scene;
}

import { setTimeout as sleep } from "node:timers/promises";
import { feedRoom } from "../../crash/evidence.ts";
import { allAnswered, lasting, type Fault } from "../fault.ts";
import { doomedRoom, type Fleet } from "../fleet.ts";

const posts = "/channels/:room/messages";

/** Breaks every connection when Discord has accepted a post, before its answer is sent; so many times. */
async function loseAnswers({ discord, roads }: Fleet, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await new Promise<void>((resolve) => {
      const stop = discord.exchanged.listen(({ method, path, answer }) => {
        if (method !== "POST" || !/^\/channels\/\d+\/messages$/.test(path) || answer.status >= 300) return;
        stop();
        roads.discord.cut();
        resolve();
      });
    });
    await sleep(300);
    roads.discord.fix();
    await sleep(1_000);
  }
}

export const discordFaults: readonly Fault[] = [
  {
    name: "discord-429-global",
    injected: "Discord answers the next 10 posts with a global 429 of 1 s",
    holds: "no post is lost",
    seconds: 40,
    inject: lasting(6, ({ discord }) =>
      discord.faults.rateLimit("POST", posts, { retryAfter: 1, global: true }, 10),
    ),
  },
  {
    name: "discord-429-room",
    injected: "Discord answers the next 6 posts in the busiest room with a 429 of 2 s",
    holds: "no post is lost",
    seconds: 40,
    inject: lasting(6, ({ discord }) =>
      discord.faults.rateLimit("POST", `/channels/${feedRoom}/messages`, { retryAfter: 2 }, 6),
    ),
  },
  {
    name: "discord-500",
    injected: "Discord answers every post with 500, for 6 s",
    holds: "no post is lost",
    seconds: 45,
    inject: lasting(6, ({ discord }) => discord.faults.refuse("POST", posts, { status: 500 })),
    without: {
      protection: "An answer of Discord that is no refusal of the message is retried",
      patches: [{ file: "src/outbox/classify.ts", from: '?? "later"', to: '?? "refused"' }],
    },
  },
  {
    name: "discord-lost-answers",
    injected: "Discord accepts 5 posts, and the connection breaks before its answer",
    holds: "no post is repeated",
    seconds: 45,
    inject: (fleet) => loseAnswers(fleet, 5),
  },
  {
    name: "discord-hangs",
    injected: "Discord answers nothing and ends no connection, for 6 s",
    holds: "no process ends",
    seconds: 45,
    inject: async ({ roads }) => {
      roads.discord.swallow();
      await sleep(6_000);
      // What was swallowed is missing in these connections.
      roads.discord.cut();
      roads.discord.fix();
    },
  },
  {
    name: "discord-away",
    injected: "Discord refuses connections for 6 s",
    holds: "no process ends",
    seconds: 45,
    inject: lasting(6, ({ roads }) => roads.discord.cut()),
    without: {
      protection: "A sweep finds due work that has no job, such as a room's whose retry is due",
      patches: [
        {
          file: "src/queue/sweep.ts",
          from: "timer = setTimeout(() => void sweep(), sweepEvery).unref()",
          to: "timer = undefined",
        },
      ],
    },
  },
  {
    name: "gateway-closed",
    injected: "Discord closes the gateway three times, resumable (4000)",
    holds: "no process ends",
    seconds: 30,
    inject: async ({ discord }) => {
      for (let count = 0; count < 3; count += 1) {
        discord.closeAll(4000);
        await sleep(2_000);
      }
    },
  },
  {
    name: "session-invalid",
    injected: "Discord declares every session invalid, not resumable",
    holds: "no process ends",
    seconds: 45,
    inject: lasting(2, ({ discord }) => discord.invalidate(false)),
  },
  {
    name: "interactions-twice",
    injected: "Discord sends each interaction twice to each bot, for 6 s",
    holds: "every command is answered, and nothing is done twice",
    seconds: 30,
    inject: async ({ discord }) => {
      const { gateway } = discord.context;
      const { dispatch } = gateway;
      gateway.dispatch = (guildId, event, payload) => {
        dispatch(guildId, event, payload);
        if (event === "INTERACTION_CREATE") dispatch(guildId, event, payload);
      };
      await sleep(6_000);
      gateway.dispatch = dispatch;
    },
    check: allAnswered,
  },
  {
    name: "permission-lost",
    injected: "the bot may not write in the busiest room, for 6 s",
    holds: "the room's posts wait",
    seconds: 45,
    inject: lasting(
      6,
      ({ discord }) => discord.denyBot(feedRoom, ["SendMessages"]),
      ({ discord }) => discord.denyBot(feedRoom, []),
    ),
    without: {
      protection: "A room continues when Discord reports that it is open again",
      patches: [
        {
          file: "src/feed/room-changes.ts",
          from: "if (closed === null) {",
          to: 'if (closed === null && roomId === "") {',
        },
      ],
    },
  },
  {
    name: "room-deleted",
    injected: "a room with a feed is deleted",
    holds: "other rooms get their posts",
    seconds: 30,
    inject: lasting(3, ({ discord }) => discord.removeRoom(doomedRoom)),
  },
];

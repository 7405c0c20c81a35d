import { afterAll, beforeEach, expect, test } from "vitest";
import { checkRooms } from "../../src/start/doctor/check-discord.ts";
import { createDiscordReader, type DiscordReader } from "../../src/start/doctor/discord-rest.ts";
import { openTestDatabase } from "../support/database.ts";
import { startTestDiscord, testToken } from "../support/discord.ts";

const database = await openTestDatabase();
const discord = await startTestDiscord();
afterAll(async () => {
  await discord.stop();
  await database.close();
});
beforeEach(() => database.truncate());

const number = (index: number) => String(index).padStart(2, "0");

/** One room with a feed in each of so many servers; those from `pausedFrom` on do not work. */
async function seed(servers: number, pausedFrom = servers): Promise<void> {
  const rows = Array.from({ length: servers }, (_, index) => ({
    guild_id: `3000000000000000${number(index)}`,
    room_id: `4000000000000000${number(index)}`,
  }));
  const paused = (index: number) =>
    index < pausedFrom ? {} : { paused_since_ms: 1, error: "That room is gone." };
  await database.query
    .insertInto("castellan.room_queues")
    .values(rows.map((row, index) => ({ ...row, paused_since_ms: null, error: null, ...paused(index) })))
    .execute();
  const rest = { channel_ids: null, kinds: [], name_pattern: null, created_by: "1", created_at_ms: 1 };
  await database.query
    .insertInto("castellan.feeds")
    .values(rows.map((row) => ({ ...row, ...rest })))
    .execute();
}

function createReader(): DiscordReader & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    application: () => Promise.reject(new Error("not asked for here")),
    lacksIn: async (guildId) => {
      asked.push(guildId);
      return [];
    },
    silentMentionIn: () => Promise.reject(new Error("no room mentions a role here")),
    hasRole: () => Promise.reject(new Error("not asked for here")),
    isUser: () => Promise.reject(new Error("not asked for here")),
  };
}

test("ten servers are asked for at most, first those whose rooms do not work; of the others it is told what was seen", async () => {
  await seed(40, 28);
  const reader = createReader();
  const findings = await checkRooms(database, reader);
  expect(reader.asked).toEqual(
    Array.from({ length: 10 }, (_, index) => `3000000000000000${number(28 + index)}`),
  );
  const wrong = findings.filter(({ state }) => state === "wrong");
  expect(wrong.map(({ part, message }) => `${part}: ${message}`)).toEqual([
    "Room 400000000000000038: last checked: That room is gone.",
    "Room 400000000000000039: last checked: That room is gone.",
  ]);
  expect(findings.at(-1)?.message).toBe("those of 30 other servers were not checked; 2 of them are paused");
});

test("of few servers all are asked for", async () => {
  await seed(10);
  const reader = createReader();
  const findings = await checkRooms(database, reader);
  expect(reader.asked).toHaveLength(10);
  expect(findings.map(({ message }) => message)).toEqual(Array.from({ length: 10 }, () => "all permissions"));
});

test("what Discord refuses is counted", async () => {
  let counted = 0;
  const watch: NonNullable<Parameters<typeof createDiscordReader>[0]["refusals"]>["watch"] =
    (send) => async (url, init) => {
      const response = await send(url, init);
      if (response.status === 403 || response.status === 429) counted += 1;
      return response;
    };
  discord.faults.refuse("GET", "/guilds/:guild/roles", { status: 403, code: 50001 });
  await seed(1);
  const reader = createDiscordReader({ token: testToken, api: discord.api, refusals: { watch } });
  await checkRooms(database, reader);
  expect(counted).toBeGreaterThan(0);
});

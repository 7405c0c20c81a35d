import { beforeEach, expect, it } from "vitest";
import { asAppError, AppError } from "../../src/errors.ts";
import type { DiscordIds } from "../../src/server-config/find-unusable.ts";
import { importConfig } from "../../src/server-config/import-config.ts";
import { readConfig } from "../../src/server-config/read-config.ts";
import { applyConfig, usableDiscord } from "../support/apply-config.ts";
import { linkGuild } from "../support/world.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();
const guildId = "900000000000000001";
beforeEach(() => linkGuild(bot, "memes", guildId));

const [room, role, user] = ["900000000000000031", "900000000000000011", "900000000000000021"];
const whole = {
  channels: [{ channel: "memes", roles: [{ role, may: ["view", "hide"] }], ignored_reporters: [user] }],
  rooms: [
    {
      room,
      mention: { role, kinds: ["bans"] },
      digest: "1h",
      feeds: [{ kinds: ["bans"] }, { kinds: ["pins"] }],
    },
  ],
};
const sourceOf = (file: object) => JSON.stringify({ version: 1, ...file });

/** The error of an import while Discord answers this. */
async function importError(partial: Partial<DiscordIds>, file: object = whole) {
  const before = await readConfig(bot, guildId);
  const context = { ...bot, discord: { ...usableDiscord, ...partial } };
  const error = await importConfig(context, { guildId, source: sourceOf(file) }).then(
    () => undefined,
    (cause: unknown) => asAppError(cause),
  );
  expect(await readConfig(bot, guildId)).toEqual(before);
  return { code: error?.code, mistakes: error?.mistakes.map(({ message }) => message) };
}

it.each<[partial: Partial<DiscordIds>, ...mistakes: string[]]>([
  [
    { lacksIn: async () => undefined },
    "rooms[0].room: is not a room of this server in which Castellan can post",
  ],
  [
    { lacksIn: async () => ["Send Messages", "Embed Links"] },
    "rooms[0].room: is a room in which Castellan lacks Send Messages, Embed Links",
  ],
  [
    { hasRole: async () => false },
    "channels[0].roles[0].role: is not a role of this server",
    "rooms[0].mention.role: is not a role of this server",
  ],
  [{ isUser: async () => false }, "channels[0].ignored_reporters[0]: is not a user of Discord"],
])("refuses what Castellan cannot use at Discord (%#)", async (partial, ...mistakes) => {
  expect(await importError(partial)).toEqual({ code: "invalid_file", mistakes });
});

it("changes nothing while Discord does not answer", async () => {
  const isUser = () => Promise.reject(new AppError("discord_unreachable", "Discord cannot be reached."));
  expect(await importError({ isUser })).toMatchObject({ code: "discord_unreachable" });
});

it("asks only about what the file adds, because the rest may be gone since", async () => {
  await applyConfig(bot, { guildId, source: sourceOf(whole) });
  const asked: (string | undefined)[] = [];
  const gone =
    <Answer>(answer: Answer) =>
    async (...ids: string[]) => {
      asked.push(ids.at(-1));
      return answer;
    };
  const discord = { lacksIn: gone(undefined), hasRole: gone(false), isUser: gone(false) };
  const smaller = {
    channels: [{ ...whole.channels[0], roles: [{ role, may: ["view"] }] }],
    rooms: [{ ...whole.rooms[0], feeds: [{ kinds: ["bans"] }] }],
  };
  const { changes } = await importConfig({ ...bot, discord }, { guildId, source: sourceOf(smaller) });
  expect(changes).toHaveLength(2);
  expect(asked).toEqual([]);

  const added = {
    channels: [{ channel: "memes", roles: [{ role: "12", may: ["view"] }], ignored_reporters: [user, "22"] }],
    rooms: [{ ...whole.rooms[0], digest: "2h" }],
  };
  expect(await importError(discord, added)).toMatchObject({ code: "invalid_file" });
  expect(asked).toEqual([room, "12", "22"]);
});

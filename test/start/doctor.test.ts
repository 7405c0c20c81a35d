import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { useDoctorScene } from "./doctor-scene.ts";

const scene = useDoctorScene();

async function feed(roomId: string): Promise<void> {
  const { guildId } = scene.discord;
  await scene.database.query
    .insertInto("castellan.room_queues")
    .values({ room_id: roomId, guild_id: guildId })
    .execute();
  await scene.database.query
    .insertInto("castellan.feeds")
    .values({
      guild_id: guildId,
      room_id: roomId,
      channel_ids: null,
      kinds: ["cast.created"],
      name_pattern: null,
      people_only: false,
      created_by: "100",
      created_at_ms: 1,
    })
    .execute();
}

describe("castellan doctor", () => {
  it("finds nothing wrong where all is well, and names each part", async () => {
    await scene.linkFollowed();
    await feed(scene.discord.rooms.feed);
    const findings = await scene.look();
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
    const parts = findings.map(({ part }) => part.split(" ")[0]);
    for (const part of [
      "Versions",
      "Disk",
      "Database",
      "Client",
      "Registry",
      "Hub",
      "Key",
      "Clock",
      "Discord",
      "Channel",
      "Room",
    ]) {
      expect(parts).toContain(part);
    }
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "a hub of another network",
      () => scene.live.chain.proof("castellan", 4, 1),
      /^Hub .*: is on another network: /,
    ],
    ["a hub that is behind", () => scene.live.fallBehind(2), /^Hub .*: is 120 minutes behind\.$/],
    [
      "a hub that wants a key",
      () => (scene.live.hub.faults.apiKey = "KEY"),
      /^Hub .*: does not accept this key \(401\): Invalid API key\.$/,
    ],
    [
      "a registry that answers HTML",
      () => scene.live.registry.fail("*", { what: "html" }),
      /^Registry .*: answers 200 with a web page instead of JSON\.$/,
    ],
    [
      "a client API that answers HTML",
      () => scene.live.client.fail("*", { what: "html" }),
      /^Client API .*: answers 200 with a web page instead of JSON\.$/,
    ],
    [
      "a client API that is away",
      () => scene.live.client.fail("*", { what: "status", status: 502 }),
      /^Client API .*: answers 502: Something went wrong\.$/,
    ],
    [
      "a rejected Discord token",
      () => scene.discord.faults.refuse("GET", "/applications/@me", { status: 401 }),
      /^Discord: Discord rejected DISCORD_TOKEN/,
    ],
    [
      "Discord out of order",
      () => scene.discord.faults.refuse("GET", "/applications/@me", { status: 500 }),
      /^Discord: Discord cannot be reached: it answers 500/,
    ],
    [
      "a channel without the role",
      () => scene.link("farcaster"),
      /^Channel \/farcaster: Castellan \(fid 9001\) does not moderate it\.$/,
    ],
    [
      "a channel that is gone",
      () => scene.link("nowhere"),
      /^Channel \/nowhere: The network no longer knows this channel\.$/,
    ],
    [
      "a suspended link",
      () => scene.link("memes", "The proof is gone."),
      /^Channel \/memes: is suspended: The proof is gone\.$/,
    ],
    ["a room that is gone", () => feed("123456789012345678"), /^Room 123456789012345678: is gone/],
  ])("says what is wrong with %s, and nothing else is", async (_, breakIt, says) => {
    await breakIt();
    const wrong = await scene.wrongOf();
    expect(wrong.filter((line) => says.test(line))).not.toEqual([]);
    expect(wrong.filter((line) => !says.test(line))).toEqual([]);
  });

  it("says what the network answered when the bot tried to accept a channel's invite", async () => {
    await scene.link("farcaster");
    await scene.database.query
      .updateTable("castellan.links")
      .set({ onboarding_stage: "follower", onboarding_error: "Only members may." })
      .execute();
    const found = (await scene.look()).find(({ part }) => part === "Channel /farcaster");
    expect(found).toMatchObject({
      state: "wrong",
      fix: expect.stringMatching(/^It tried to accept an invite, and the response was: "Only members may\."/),
    });
  });

  it("says that the Discord token is of another application", async () => {
    const [line] = await scene.wrongOf({ DISCORD_APPLICATION: "123456789012345678" });
    expect(line).toMatch(
      /^Discord: The token belongs to another application, .*\(\d+\), not to the one that was set up/,
    );
  });

  it("names the permissions that a room lacks", async () => {
    const room = scene.discord.context.world.rooms.get(scene.discord.rooms.general);
    if (!room) throw new Error("the room is not there");
    const botDenied = String(PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.ReadMessageHistory);
    scene.discord.context.record({ kind: "room", room: { ...room, botDenied } });
    await feed(scene.discord.rooms.general);
    expect(await scene.wrongOf()).toEqual([`Room ${room.id}: lacks Embed Links, Read Message History.`]);
  });

  it("names a role whose mention notifies nobody", async () => {
    const { discord, database } = scene;
    const { guildId } = discord;
    await feed(discord.rooms.feed);
    const roleId = discord.addRole(guildId, { name: "On call" }, []);
    await database.query.updateTable("castellan.room_queues").set({ mention_role: roleId }).execute();
    const line = `Room ${discord.rooms.feed}: A mention of role ${roleId} notifies nobody, because that role`;
    expect(await scene.wrongOf()).toEqual([`${line} is not mentionable.`]);
    discord.setMentionable(guildId, roleId, true);
    expect(await scene.wrongOf()).toEqual([]);
    discord.removeRole(guildId, roleId);
    expect(await scene.wrongOf()).toEqual([`${line} no longer exists.`]);
  });

  it("finds nothing missing where the bot is an administrator", async () => {
    const { discord } = scene;
    await feed(discord.rooms.feed);
    const roleId = discord.addRole(
      discord.guildId,
      { name: "Admins", permissions: PermissionFlagsBits.Administrator },
      [discord.applicationId],
    );
    const room = (await scene.look()).find(({ part }) => part === `Room ${discord.rooms.feed}`);
    expect(room).toMatchObject({ state: "ok", message: "all permissions" });
    discord.removeRole(discord.guildId, roleId);
  });

  it("tells by the services' time that the machine's clock is wrong, and still tries the key", async () => {
    scene.live.clock.ahead = 1000;
    const wrong = await scene.wrongOf();
    expect(wrong).toEqual([expect.stringMatching(/^Clock: is (99\d|100\d) seconds behind the services'\.$/)]);
  });

  it("says when others can read the settings", async () => {
    const file = join(scene.directory, "settings.env");
    await writeFile(file, "NETWORK=live\n", { mode: 0o644 });
    const keys = join(scene.directory, "keys.json");
    await writeFile(keys, "{}\n", { mode: 0o600 });
    await chmod(keys, 0o660);
    const secret = join(scene.directory, "bot.secret");
    await writeFile(secret, "words ".repeat(9), { mode: 0o640 });
    expect(await scene.wrongOf({ KEY_SECRET_FILE: secret })).toEqual([
      `Settings: ${file} can be read by others, and contains secrets.`,
      `Settings: ${keys} can be changed by others, and contains secrets.`,
      `Settings: ${secret} can be read by others, and contains secrets.`,
    ]);
  });

  it("is not kept by a service that hangs from telling of the others", { timeout: 60_000 }, async () => {
    scene.live.registry.fail("*", { what: "hang" });
    const findings = await scene.look();
    expect(findings.find(({ part }) => part.startsWith("Registry"))).toMatchObject({
      state: "wrong",
      message: "does not answer within 10 s.",
    });
    expect(findings.find(({ part }) => part.startsWith("Client API"))).toMatchObject({ state: "ok" });
  });

  it("changes nothing anywhere", async () => {
    await scene.linkFollowed();
    await scene.look();
    // The follow of a channel that the bot follows already tries the key.
    expect(scene.live.client.writes.filter(({ changed }) => changed)).toEqual([]);
    // Commands need this route; of others there is always room.
    expect(scene.live.client.requests.filter(({ route }) => route === "GET /v1/channel")).toHaveLength(1);
    expect(scene.live.registry.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

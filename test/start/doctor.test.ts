import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { silentLog } from "../../src/log.ts";
import { createClient } from "../../src/client/create-client.ts";
import { publicKeyOf } from "../../src/start/doctor/check-key.ts";
import { examine } from "../../src/start/doctor/examine.ts";
import type { Finding } from "../../src/start/doctor/finding.ts";
import type { ListedSigner } from "../live/live-hub.ts";
import { startLiveNetwork, type LiveNetwork } from "../live/live-network.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";

const token = "the.token.of.this.test";
const botFid = 9001;
const privateKey = Buffer.alloc(32, 5);
const key = await publicKeyOf(privateKey);
const day = 86_400;

let database: TestDatabase;
let discord: TestDiscord;
let live: LiveNetwork;
let directory: string;

beforeAll(async () => {
  [database, discord] = await Promise.all([openTestDatabase(), startTestDiscord({ token })]);
});
afterAll(() => Promise.all([database.close(), discord.stop()]));
beforeEach(async () => {
  await database.truncate();
  live = await startLiveNetwork();
  live.keys.add(key, botFid);
  live.registry.give("castellan", botFid, Math.floor(Date.now() / 1000));
  directory = await mkdtemp(join(tmpdir(), "castellan-doctor-"));
});
afterEach(async () => {
  discord.context.faults.clear();
  await live.close();
  await rm(directory, { recursive: true, force: true });
});

/** What doctor finds with these settings beside those of a sound installation. */
async function look(settings: Record<string, string> = {}): Promise<Finding[]> {
  const { client, registry, hub } = live;
  const config = parseConfig({
    NETWORK: "live",
    BOT_FID: String(botFid),
    BOT_APP_KEY: privateKey.toString("hex"),
    CLIENT_API_URL: client.url,
    REGISTRY_URL: registry.url,
    HUB_URL: hub.url,
    DISCORD_TOKEN: token,
    DISCORD_API: discord.api,
    DISCORD_APPLICATION: discord.applicationId,
    DATA_DIR: directory,
    ...settings,
  });
  const network = createClient({ clientUrl: client.url, registryUrl: registry.url, hubUrl: hub.url });
  return examine({ config, log: silentLog, data: { database, network, botFid } });
}

/** The hub lists this as the bot's only key. */
function listKey(own: Pick<ListedSigner, "scopes" | "expiresAt">): void {
  live.chain.signers.set(botFid, [{ source: "SIGNER_SOURCE_OFFCHAIN", key, ...own }]);
}

function moderate(channelId: string): void {
  live.client.channels.add(channelId, 1);
  live.client.channels.setStanding(channelId, botFid, "moderator");
}

/** The lines that are wrong. */
async function wrongOf(settings?: Record<string, string>): Promise<string[]> {
  const findings = await look(settings);
  // Each says what to do.
  expect(findings.filter(({ state, mend }) => state === "wrong" && !mend)).toEqual([]);
  return findings.flatMap(({ part, state, message }) => (state === "wrong" ? [`${part}: ${message}`] : []));
}

async function link(channelId: string, suspendedReason: string | null = null): Promise<void> {
  await database.query
    .insertInto("castellan.links")
    .values({
      guild_id: discord.guildId,
      channel_id: channelId,
      channel_url: `https://farcaster.group/${channelId}`,
      channel_name: channelId,
      linked_by: "100",
      linked_at_ms: 1,
      verified_at_ms: 1,
      ...(suspendedReason !== null && { suspended_at_ms: 1, suspended_reason: suspendedReason }),
    })
    .execute();
}

async function feed(roomId: string): Promise<void> {
  const { guildId } = discord;
  await database.query
    .insertInto("castellan.feed_lanes")
    .values({ room_id: roomId, guild_id: guildId })
    .execute();
  await database.query
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
    moderate("memes");
    await link("memes");
    await feed(discord.rooms.feed);
    const findings = await look();
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
    ["a wrong key", () => live.keys.all.clear(), /^Key 0x.*: is refused by 127.*: Unknown app key\.$/],
    [
      "a key that is of another fid",
      () => live.keys.all.set(key, 5),
      /^Key .*: acts as fid 5, but BOT_FID is 9001\.$/,
    ],
    [
      "a key without scopes at the client API",
      () => live.keys.powerless.add(key),
      /^Key .*: is known to .* may do nothing: Key lacks the scope/,
    ],
    [
      "a key that is not among the fid's",
      () => live.chain.signers.delete(botFid),
      /^Key .*: is not among the keys of fid 9001/,
    ],
    ["a key without scopes", () => listKey({ scopes: [] }), /^Key .*: has no scopes/],
    [
      "an expired key",
      () => listKey({ scopes: ["CAST_ADD"], expiresAt: Math.floor(Date.now() / 1000) - day }),
      /^Key .*: expired \d{4}-/,
    ],
    [
      "a key that ends soon",
      () => listKey({ scopes: ["CAST_ADD"], expiresAt: Math.floor(Date.now() / 1000) + day }),
      /^Key .*: ends soon, /,
    ],
    [
      "a hub of another network",
      () => live.chain.proof("castellan", 4, 1),
      /^Hub .*: is of another network: /,
    ],
    ["a hub that is behind", () => live.fallBehind(2), /^Hub .*: is 120 minutes behind\.$/],
    [
      "a hub that wants a key",
      () => (live.hub.faults.apiKey = "KEY"),
      /^Hub .*: does not let this key in \(401\): Invalid API key\.$/,
    ],
    [
      "a registry that answers HTML",
      () => live.registry.fail("*", { what: "html" }),
      /^Registry .*: answers 200 with a web page instead of JSON\.$/,
    ],
    [
      "a client API that answers HTML",
      () => live.client.fail("*", { what: "html" }),
      /^Client API .*: answers 200 with a web page instead of JSON\.$/,
    ],
    [
      "a client API that is away",
      () => live.client.fail("*", { what: "status", status: 502 }),
      /^Client API .*: answers 502: Something went wrong\.$/,
    ],
    [
      "a rejected Discord token",
      () => discord.context.faults.refuse("GET", "/applications/@me", { status: 401 }),
      /^Discord: Discord rejects DISCORD_TOKEN/,
    ],
    [
      "Discord out of order",
      () => discord.context.faults.refuse("GET", "/applications/@me", { status: 500 }),
      /^Discord: Discord cannot be reached: it answers 500/,
    ],
    [
      "a channel without the role",
      () => link("farcaster"),
      /^Channel \/farcaster: Castellan \(fid 9001\) does not moderate it\.$/,
    ],
    [
      "a channel that is gone",
      () => link("nowhere"),
      /^Channel \/nowhere: The network does not know it any more\.$/,
    ],
    [
      "a suspended link",
      () => link("memes", "The proof is gone."),
      /^Channel \/memes: is suspended: The proof is gone\.$/,
    ],
    ["a room that is gone", () => feed("123456789012345678"), /^Room 123456789012345678: is gone/],
  ])("says what is wrong with %s, and nothing else is", async (_, breakIt, says) => {
    await breakIt();
    const wrong = await wrongOf();
    expect(wrong.filter((line) => says.test(line))).not.toEqual([]);
    expect(wrong.filter((line) => !says.test(line))).toEqual([]);
  });

  it("says what the network answered when the bot tried to accept a channel's invite", async () => {
    await link("farcaster");
    await database.query
      .updateTable("castellan.links")
      .set({ way_in: "follower", way_refusal: "Only members may." })
      .execute();
    const found = (await look()).find(({ part }) => part === "Channel /farcaster");
    expect(found).toMatchObject({
      state: "wrong",
      mend: expect.stringMatching(/^It tried to accept an invite, and the answer was: "Only members may\."/),
    });
  });

  it("says that the Discord token is of another application", async () => {
    const [line] = await wrongOf({ DISCORD_APPLICATION: "123456789012345678" });
    expect(line).toMatch(
      /^Discord: The token is of another application, .*\(\d+\), than the one that was set up/,
    );
  });

  it("names the permissions that a room lacks", async () => {
    const room = discord.context.world.rooms.get(discord.rooms.general);
    if (!room) throw new Error("the room is not there");
    const botDenied = String(PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.ReadMessageHistory);
    discord.context.record({ kind: "room", room: { ...room, botDenied } });
    await feed(discord.rooms.general);
    expect(await wrongOf()).toEqual([`Room ${room.id}: lacks Embed Links, Read Message History.`]);
  });

  it("tells by the services' time that the machine's clock is wrong, and still tries the key", async () => {
    live.clock.ahead = 1000;
    const wrong = await wrongOf();
    expect(wrong).toEqual([expect.stringMatching(/^Clock: is (99\d|100\d) seconds behind the services'\.$/)]);
  });

  it("says when others can read the settings", async () => {
    const file = join(directory, "settings.env");
    await writeFile(file, "NETWORK=live\n", { mode: 0o644 });
    expect(await wrongOf()).toEqual([`Settings: ${file} can be read by others, and holds secrets.`]);
  });

  it("is not kept by a service that hangs from telling of the others", { timeout: 60_000 }, async () => {
    live.registry.fail("*", { what: "hang" });
    const findings = await look();
    expect(findings.find(({ part }) => part.startsWith("Registry"))).toMatchObject({
      state: "wrong",
      message: "does not answer within 10 s.",
    });
    expect(findings.find(({ part }) => part.startsWith("Client API"))).toMatchObject({ state: "ok" });
  });

  it("changes nothing anywhere", async () => {
    await link("memes");
    await look();
    expect(live.client.writes).toEqual([]);
    // Commands need this route; of others there is always room.
    expect(live.client.requests.filter(({ route }) => route === "GET /v1/channel")).toHaveLength(1);
    expect(live.registry.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

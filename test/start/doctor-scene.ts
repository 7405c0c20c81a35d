import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import { parseConfig } from "../../src/config.ts";
import { silentLog } from "../../src/log.ts";
import { createKeyRecord } from "../../src/observe/live/bot-key.ts";
import { publicKeyOf } from "../../src/start/doctor/check-key.ts";
import { examine } from "../../src/start/doctor/examine.ts";
import type { Finding } from "../../src/start/doctor/finding.ts";
import type { ListedSigner } from "../live/live-hub.ts";
import { startLiveNetwork, type LiveNetwork } from "../live/live-network.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";

const token = "the.token.of.this.test";
export const botFid = 9001;
const privateKey = Buffer.alloc(32, 5);
export const key = await publicKeyOf(privateKey);

/** What doctor looks at: services of the live network and a directory for each test, a database and a Discord for all of a file. */
export interface DoctorScene {
  database: TestDatabase;
  discord: TestDiscord;
  live: LiveNetwork;
  directory: string;
  /** What doctor finds with these settings beside those of a sound installation. */
  look(settings?: Record<string, string>): Promise<Finding[]>;
  /** The lines that are wrong. */
  wrongOf(settings?: Record<string, string>): Promise<string[]>;
  moderate(channelId: string): void;
  link(channelId: string, suspendedReason?: string): Promise<void>;
  /** A channel that the bot follows, on which the key can be tried. */
  linkFollowed(): Promise<void>;
  /** The hub lists this as the bot's only key. */
  listKey(own: Pick<ListedSigner, "scopes" | "expiresAt">): void;
}

export function useDoctorScene(): DoctorScene {
  const acts: Pick<DoctorScene, "look" | "wrongOf" | "moderate" | "link" | "linkFollowed" | "listKey"> = {
    async look(settings = {}) {
      const { database, discord, live, directory } = scene;
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
      const signer = { fid: botFid, privateKey };
      const urls = { clientUrl: client.url, registryUrl: registry.url, hubUrl: hub.url };
      const hearKey = createKeyRecord({ database, clock: systemClock, log: silentLog }, key);
      const network = createClient({ ...urls, signer, hearKey });
      return examine({ config, log: silentLog, data: { database, network, botFid } });
    },
    async wrongOf(settings) {
      const findings = await scene.look(settings);
      // Each says what to do.
      expect(findings.filter(({ state, fix }) => state === "wrong" && !fix)).toEqual([]);
      return findings.flatMap(({ part, state, message }) =>
        state === "wrong" ? [`${part}: ${message}`] : [],
      );
    },
    moderate(channelId) {
      const { channels } = scene.live.client;
      channels.add(channelId, 1);
      channels.setStanding(channelId, botFid, "moderator");
    },
    async link(channelId, suspendedReason) {
      await scene.database.query
        .insertInto("castellan.links")
        .values({
          guild_id: scene.discord.guildId,
          channel_id: channelId,
          channel_url: `https://farcaster.group/${channelId}`,
          channel_name: channelId,
          linked_by: "100",
          linked_at_ms: 1,
          verified_at_ms: 1,
          ...(suspendedReason !== undefined && { suspended_at_ms: 1, suspended_reason: suspendedReason }),
        })
        .execute();
    },
    async linkFollowed() {
      scene.moderate("memes");
      scene.live.client.channels.follow("memes", botFid);
      await scene.link("memes");
    },
    listKey: (own) =>
      void scene.live.chain.signers.set(botFid, [{ source: "SIGNER_SOURCE_OFFCHAIN", key, ...own }]),
  };
  // Its parts are there when the first test begins.
  const scene = acts as DoctorScene;
  beforeAll(async () => {
    [scene.database, scene.discord] = await Promise.all([openTestDatabase(), startTestDiscord({ token })]);
  });
  afterAll(() => Promise.all([scene.database.close(), scene.discord.stop()]));
  beforeEach(async () => {
    await scene.database.truncate();
    scene.live = await startLiveNetwork();
    scene.live.keys.add(key, botFid);
    scene.live.registry.give("castellan", botFid, Math.floor(Date.now() / 1000));
    scene.directory = await mkdtemp(join(tmpdir(), "castellan-doctor-"));
  });
  afterEach(async () => {
    scene.discord.faults.clear();
    await scene.live.close();
    await rm(scene.directory, { recursive: true, force: true });
  });
  return scene;
}

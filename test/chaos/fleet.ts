import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import type { Message } from "../../src/sandbox/discord/world/world.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { personas } from "../../src/sandbox/sample/personas.ts";
import { managerRole, sandboxGuild } from "../../src/sandbox/sample/sample-server.ts";
import type { ChatMessage } from "../crash/chat.ts";
import type { Site } from "../crash/site.ts";
import { botFid, makeTown, moderators } from "../crash/town.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { requireServers, startRedis, type RedisServer } from "../support/services.ts";
import { secretOf } from "../support/signing.ts";
import { startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { startMember, type Member, type Role } from "./members.ts";
import { controlPostgres, databaseUrl, mountSmallDisk, type Postgres, type SmallDisk } from "./postgres.ts";

/** Two api, two bot and three worker processes, and the services that they depend on. */
export interface Fleet {
  members: readonly Member[];
  of: (role: Role) => Member[];
  /** Unexpected ends of processes. */
  ends: readonly string[];
  postgres: Postgres;
  /** The bot half's database. */
  database: string;
  disk: SmallDisk;
  redis: RedisServer;
  discord: TestDiscord;
  balancer: Balancer;
  /** The ways to the servers; each member has its own to PostgreSQL. */
  roads: { postgres: ReadonlyMap<Member, Relay>; redis: Relay; discord: Relay };
  receiver: WebhookReceiver;
  /** For files of faults. */
  directory: string;
  /** All posts of the bot in a room, oldest first. */
  posts(roomId: string): ChatMessage[];
  site: Site;
  /** Removes every fault that can be removed from outside. */
  fix(): void;
  close(): Promise<void>;
}

const roles: readonly Role[] = ["api", "api", "bot", "bot", "worker", "worker", "worker"];
/** A room that is deleted in the course of the run. */
export const doomedRoom = "800000000000000015";

const discordToken = "the.bot.of.a.fleet.at.the.local.Discord";

export async function openFleet(): Promise<Fleet> {
  const { server } = requireServers();
  const directory = await mkdtemp(join(tmpdir(), "castellan-chaos-"));
  const postgres = await controlPostgres(server);
  const disk = await mountSmallDisk(postgres, directory);
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const suffix = randomBytes(4).toString("hex");
  const [database, networkDatabase] = [`chaos_${suffix}`, `chaos_network_${suffix}`];
  await postgres.query(`create database ${database} ${disk.clause}`);
  await postgres.query(`create database ${networkDatabase}`);
  const redis = await startRedis();
  const receiver = await startReceiver();
  const discord = await startDiscord();
  const roads = {
    postgres: new Map<Member, Relay>(),
    redis: await startRelay(redis.url),
    discord: await startRelay(discord.origin),
  };
  // The gateway's address is Discord's own, so it leads through the relay, too.
  discord.context.origin = roads.discord.url;
  const posted = new Map<string, Map<string, ChatMessage>>();
  discord.context.happened.listen((event) => {
    if (event.kind !== "message" || event.message.visibleTo !== null) return;
    const { roomId, id } = event.message;
    posted.set(roomId, (posted.get(roomId) ?? new Map<string, ChatMessage>()).set(id, toChat(event.message)));
  });

  const file = join(directory, "town.json");
  await writeFile(file, JSON.stringify(await makeTown(Math.floor(Date.now() / 1000))));
  const operatorToken = randomBytes(32).toString("hex");
  const common = {
    CONSOLE_PORT: "0",
    LOG_LEVEL: "warn",
    OPERATOR_TOKEN: operatorToken,
    BOT_FID: String(botFid),
    BOT_APP_KEY: secretOf(botFid).toString("hex"),
    REDIS_URL: roads.redis.url.replace("http:", "redis:"),
  };
  const members: Member[] = [];
  const ends: string[] = [];
  const onEnd = (end: string) => void ends.push(end);
  const start = async (role: Role, settings: Record<string, string>) => {
    const road = await startRelay(server);
    const own = role === "api" ? networkDatabase : database;
    const url = databaseUrl(server, own).replace(new URL(server).host, new URL(road.url).host);
    const number = members.filter((member) => member.role === role).length + 1;
    const member = await startMember(`${role} ${number}`, role, { ...settings, DATABASE_URL: url }, onEnd);
    members.push(member);
    roads.postgres.set(member, road);
  };
  const network = { ...common, NETWORK: "empty", NETWORK_FILE: file, DATA_DIR: join(directory, "network") };
  await mkdir(network.DATA_DIR, { mode: 0o700 });
  for (const role of roles) if (role === "api") await start(role, network);
  const balancer = await startBalancer(members.map(({ origin }) => origin));
  const bot = {
    ...common,
    NETWORK: "live",
    CLIENT_API_URL: balancer.url,
    REGISTRY_URL: balancer.url,
    HUB_URL: balancer.url,
    CALL_LIMITS: "100000/1000000",
    DISCORD_TOKEN: discordToken,
    DISCORD_API: `${roads.discord.url}/api`,
    DATA_DIR: join(directory, "bot"),
    WEBHOOK_HOSTS: "127.0.0.1",
  };
  await mkdir(bot.DATA_DIR, { mode: 0o700 });
  for (const role of roles) if (role !== "api") await start(role, bot);

  const stop = () => Promise.all(members.toReversed().map((member) => member.stop()));
  const site: Site = {
    operatorToken,
    network: () => balancer.url,
    chat: () => discord.origin,
    deaths: () => 0,
    timeoutMs: 10_000,
    launch: () => {
      throw new Error("the members have supervisors");
    },
    kill: async () => {},
    stop,
    raze: async () => {},
    database: databaseUrl(server, database),
    restarts: () => ends.length,
  };
  const allRoads = () => [roads.redis, roads.discord, ...roads.postgres.values()];
  return {
    members,
    ends,
    of: (role) => members.filter((member) => member.role === role),
    postgres,
    database,
    disk,
    redis,
    discord,
    balancer,
    roads,
    receiver,
    directory,
    posts: (roomId) => [...(posted.get(roomId)?.values() ?? [])],
    site,
    fix() {
      for (const road of allRoads()) road.fix();
      balancer.fix();
      discord.faults.clear();
      redis.goOn();
      receiver.answer = { status: 204 };
    },
    async close() {
      await stop();
      balancer.close();
      receiver.close();
      await discord.stop();
      await Promise.all(allRoads().map((road) => road.close()));
      await redis.kill();
      for (const name of [database, networkDatabase]) {
        await postgres.query(`drop database if exists ${name} with (force)`);
      }
    },
  };
}

function toChat({ id, flags, embeds }: Message): ChatMessage {
  return {
    id,
    flags,
    components: [],
    embeds: embeds.map(({ title, description, timestamp, footer }) => ({
      title: title ?? "",
      description: description ?? "",
      fields: [],
      ...(timestamp != null && { timestamp }),
      ...(footer && { footer: { text: footer.text } }),
    })),
  };
}

function startDiscord(): Promise<TestDiscord> {
  const people = personas
    .filter(({ name }) => moderators.some((moderator) => moderator === name))
    .map(({ userId, name }) => ({
      id: userId,
      username: name,
      displayName: name,
      roles: [managerRole.name],
    }));
  return startTestDiscord({
    token: discordToken,
    people,
    guilds: [
      {
        ...sandboxGuild,
        owner: "ada",
        roles: [managerRole],
        rooms: [...sandboxGuild.rooms, { id: doomedRoom, name: "doomed" }],
      },
    ],
    page: (controls) => createSandboxPage(controls, silentLog),
  });
}

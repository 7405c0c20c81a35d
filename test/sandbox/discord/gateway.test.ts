import {
  Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  createDiscordClient,
  logIn,
  sendRaw,
  startTestDiscord,
  testToken,
  type TestDiscord,
} from "../../support/discord.ts";

let discord: TestDiscord;
let client: Client;

beforeEach(async () => {
  discord = await startTestDiscord();
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
  client = createDiscordClient(discord, undefined, { intents });
  await logIn(client);
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

const resumed = () =>
  new Promise((resolve) => client.once(Events.ShardResume, (_, replayed) => resolve(replayed)));
const heard = () =>
  new Promise((resolve) => client.once(Events.MessageCreate, ({ content }) => resolve(content)));
const sessions = () => [...discord.context.gateway.sessions.keys()];

test("a dropped client resumes and gets what it missed", async () => {
  const [before] = sessions();
  const [again, missed] = [resumed(), heard()];
  discord.drop();
  await sendRaw(discord, "POST", `/channels/${discord.rooms.general}/messages`, {
    content: "while you were away",
  });
  expect(await missed).toBe("while you were away");
  await again;
  expect(sessions()).toEqual([before]);
});

test("op 7 makes it reconnect and resume", async () => {
  const [before] = sessions();
  const again = resumed();
  discord.askReconnect();
  await again;
  expect(sessions()).toEqual([before]);
});

test("op 9 makes it identify anew", async () => {
  const [before] = sessions();
  const ready = new Promise((resolve) => client.once(Events.ShardReady, resolve));
  discord.invalidate(false);
  await ready;
  expect(sessions()).toHaveLength(1);
  expect(sessions()).not.toContain(before);
});

const closed = () =>
  new Promise((resolve) => client.once(Events.ShardDisconnect, ({ code }) => resolve(code)));

test.each([4004, 4011, 4014])("closed with %i it stays away, and its session is gone", async (code) => {
  const gone = closed();
  discord.closeAll(code);
  expect(await gone).toBe(code);
  expect(sessions()).toEqual([]);
  expect(discord.context.gateway.online()).toBe(false);
});

test("closed with a code that passes, it resumes", async () => {
  const [before] = sessions();
  const again = resumed();
  discord.closeAll(4000);
  await again;
  expect(sessions()).toEqual([before]);
});

test("a start may be answered with a close code, until that is lifted", async () => {
  const newcomer = createDiscordClient(discord);
  const lift = discord.refuseIdentify(4011);
  await expect(newcomer.login(testToken)).rejects.toThrow(/sharding/i);
  lift();
  discord.context.gateway.sessionStarts = { remaining: 0, resetAfter: 60_000 };
  await expect(createDiscordClient(discord).login(testToken)).rejects.toThrow(
    /not enough sessions remaining/i,
  );
});

test("a start may be answered with silence", async () => {
  discord.refuseIdentify("silence");
  const socket = new WebSocket(`${discord.origin.replace("http", "ws")}/?v=10&encoding=json`);
  const opcodes: number[] = [];
  socket.on("message", (raw: Buffer) => {
    const { op } = JSON.parse(raw.toString()) as { op: number }; // a gateway payload
    opcodes.push(op);
    if (op === 11) return socket.close();
    socket.send(JSON.stringify(identify({})));
    socket.send('{"op":1,"d":null}');
  });
  await new Promise((resolve) => socket.once("close", resolve));
  expect(opcodes).toEqual([10, 11]);
});

test("a message's content stays with those who were granted its intent", async () => {
  const said = heard();
  discord.people.say({ user: "member", room: "general", content: "private matters" });
  expect(await said).toBe("");
});

const identify = (d: object) => ({
  op: 2,
  d: { token: testToken, intents: 1, properties: { os: "o", browser: "b", device: "d" }, ...d },
});

test.each([
  ["no JSON", "{", 4002],
  ["an unknown opcode", { op: 99 }, 4001],
  ["a wrong token", identify({ token: "x" }), 4004],
  ["unknown intents", identify({ intents: 1 << 30 }), 4013],
  ["a privileged intent", identify({ intents: 1 << 1 }), 4014],
  ["a shard that does not exist", identify({ shard: [1, 1] }), 4010],
  ["a presence before it identified", { op: 3, d: {} }, 4003],
])("%s closes the socket", async (_, payload, code) => {
  const socket = new WebSocket(`${discord.origin.replace("http", "ws")}/?v=10&encoding=json`);
  socket.once("message", () => socket.send(typeof payload === "string" ? payload : JSON.stringify(payload)));
  expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(code);
});

test("another version of the gateway is refused", async () => {
  const socket = new WebSocket(`${discord.origin.replace("http", "ws")}/?v=11`);
  expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(4012);
});

test("version 9 of the API is taken as well; of one that is none Discord says so", async () => {
  const old = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: discord.api, version: "9" },
    ws: { version: 9 },
  });
  const version = new Promise((resolve) =>
    old.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
      if (t === GatewayDispatchEvents.Ready) resolve(d.v);
    }),
  );
  await logIn(old);
  expect(await version).toBe(9);
  expect((await old.channels.fetch(discord.rooms.feed, { force: true }))?.id).toBe(discord.rooms.feed);
  await old.destroy();
  const other = await fetch(`${discord.api}/v11/gateway`);
  expect([other.status, await other.json()]).toEqual([
    400,
    { message: "Invalid API version specified", code: 50041 },
  ]);
});

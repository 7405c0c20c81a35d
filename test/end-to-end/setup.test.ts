import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Wallet } from "ethers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startLiveProcess, type LiveProcess } from "../live/live-process.ts";
import { createChat, see } from "../support/bot-in-discord.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { readFeed } from "../support/observer.ts";
import { makeFilledDirectory, runProgram, type DataDirectory, type Program } from "../support/program.ts";
import { terminalProgram, typeInto } from "../support/terminal.ts";
import { openOddHubs, type OddHubs } from "./odd-hubs.ts";
import { createRecording, type Recording } from "./recording.ts";

const token = "the.token.of.this.test";
const botFid = 9001;
const phrase = "test test test test test test test test test test test junk";
const hubKey = "x-api-key=KEY-OF-THE-HUB";
const slow = { timeout: 120_000 };
const people = { owner: 1, troll: 7, fan: 8 };
const polling = { timeout: 60_000, interval: 100 };

let home: DataDirectory;
let discord: TestDiscord;
let live: LiveProcess;
let hubs: OddHubs;
let port: number;
let instance: Program;
let recording: Recording;

beforeAll(async () => {
  [home, discord, live, port] = await Promise.all([
    makeFilledDirectory(),
    startTestDiscord({ token }),
    startLiveProcess(),
    findPort(),
  ]);
  hubs = await openOddHubs(live.urls.hub);
  recording = createRecording(createChat(discord), discord, makeEqual);
  const { controls } = live;
  await controls.addPerson(botFid, { name: "castellan", custody: Wallet.fromPhrase(phrase).address });
  for (const [name, fid] of Object.entries(people)) await controls.addPerson(fid, { name });
  await controls.addChannel({ id: "garden", name: "Garden", owner: people.owner });
  await controls.lockHub(hubKey.split("=")[1] ?? "");
});
afterAll(async () => {
  await instance?.end();
  await Promise.all([discord.stop(), live.stop(), hubs.close()]);
  await Promise.all([home.remove(), rm(`${home.directory}.secret`, { force: true })]);
});

const settings = () => ({ DATA_DIR: home.directory, PORT: String(port), LOG_LEVEL: "info" });

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // A TCP server that listens has an address of this kind.
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

/** What differs from run to run. */
function makeEqual(shown: string): string {
  // As long as 127.0.0.1 with a port, so that columns stay.
  const places = { client: "api.example.org", registry: "reg.example.org", hub: "hub.example.org" };
  const users = [...discord.context.world.users.values()];
  const ids = [...users.map(({ id }) => id), ...Object.values(discord.rooms)];
  const known: [own: string, equal: string][] = [
    ...Object.entries(places).flatMap(([service, place]): [string, string][] => {
      const url = live.urls[service as keyof typeof places]; // its own keys
      return [
        [url, `https://${place}`],
        [new URL(url).host, place],
      ];
    }),
    [hubs.planless, "https://few.example.org"],
    [new URL(hubs.planless).host, "few.example.org"],
    [new URL(hubs.unpaid).host, "due.example.org"],
    ...Object.entries(discord.rooms).map(([name, id]): [string, string] => [`<#${id}>`, `#${name}`]),
    ...users.map(({ id, displayName }): [string, string] => [`<@${id}>`, `@${displayName}`]),
    [home.directory, "/srv/castellan"],
    [discord.applicationId, "1234567890123456789"],
    [discord.guildId, "1111111111111111111"],
    ...ids.map((id): [string, string] => [id, "2222222222222222222"]),
    [`127.0.0.1:${port}`, "127.0.0.1:4680"],
  ];
  return known
    .reduce((text, [own, equal]) => text.replaceAll(own, equal), shown)
    .replaceAll(/castellan(-[0-9a-z]{4}){3}/g, "castellan-1a2b-3c4d-5e6f")
    .replaceAll(/0x[0-9a-f]{8}…[0-9a-f]{4}/g, "0x1f2e3d4c…5b6a")
    .replaceAll(/Cast 0x[0-9a-f]+/g, "Cast 0x1f2e3d4c5b")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2027-01-02 03:04 UTC")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2027-01-02T03:04:05.678Z")
    .replaceAll(/<t:\d+(:\w)?>/g, "03:04")
    .replaceAll(/in \d+ ms/g, "in 40 ms")
    .replaceAll(/, \d+ s behind/g, ", 1 s behind")
    .replaceAll(/is 12\d minutes behind/g, "is 120 minutes behind")
    .replaceAll(/has [\d.]+ [GM]B free/g, "has 80.0 GB free")
    .replaceAll(/up to date: \d{4}-[a-z-]+/g, "up to date: 0200-baseline")
    .replaceAll(/Castellan [\d.]+, Node v[\d.]+/g, "Castellan 0.1.0, Node v20.20.2");
}

// One story: each test goes on where the one before it ended.
it.skipIf(!existsSync(terminalProgram))(
  "is set up at a terminal, where no secret is shown",
  slow,
  async () => {
    const answers: [string, string][] = [
      ["Discord bot token (hidden): ", token],
      ["Network (live, sample or empty) [live]: ", ""],
      ["Client API [https://api.farcaster.xyz]: ", live.urls.client],
      ["Name registry [https://fnames.farcaster.xyz]: ", live.urls.registry],
      ["Fid of the bot's account: ", String(botFid)],
      ["Hub: ", hubs.planless],
      ["header=value (hidden; Enter: none): ", hubKey],
      ["Hub: ", live.urls.hub],
      ["header=value (hidden; Enter: none): ", hubKey],
      ["Request a new key? [y/N]: ", "y"],
      ["(hidden; Enter: sign elsewhere): ", phrase],
    ];
    const { shown, code } = await typeInto(
      ["setup"],
      { ...settings(), DISCORD_API: discord.api },
      {
        answers,
        until: "Waiting for the answer",
        meanwhile: () => live.controls.decideRequest("completed", botFid),
      },
    );
    expect(code, shown).toBe(0);
    for (const secret of [token, hubKey, phrase]) expect(shown).not.toContain(secret);
    recording.command("castellan setup", shown);
    const pasted = answers.filter(([, answer]) => answer.length > 10);
    const typed = answers.flatMap(([, answer]) => (answer.length > 10 ? [] : [answer])).join("").length;
    recording.note(
      `So far, ${answers.length} of the keys being Enter, and the act the approval on the phone`,
      {
        pastes: pasted.length,
        keys: typed + answers.length,
        acts: 1,
      },
    );
  },
);

it("starts with what was set up, and looks at itself", slow, async () => {
  instance = runProgram(["start"], settings());
  await instance.ready;
  while (!instance.output().includes("castellan doctor has checked")) await sleep(50);
  expect(instance.output()).toMatch(/"wrong":0,"msg":"castellan doctor has checked/);
  for (const secret of [token, "KEY-OF-THE-HUB", phrase]) expect(instance.output()).not.toContain(secret);
});

it("is looked at while it runs, and everything is right", slow, async () => {
  const doctor = runProgram(["doctor"], settings());
  expect(await doctor.exit, doctor.output()).toBe(0);
  expect(doctor.output()).toMatch(/^ok +Instance +runs at/m);
  expect(doctor.output()).toMatch(/^ok +Database \(embedded\)/m);
  recording.command("castellan doctor", doctor.output());
});

it(
  "is linked by the owner, who proves their rights with a cast, and says what is missing",
  slow,
  async () => {
    const { run, click, note, shows } = recording;
    note("Olga owns /garden in Farcaster, as fid 1, and this Discord server");
    const offered = await run("owner", "setup link", { channel: "garden" });
    const [, text = ""] = /```\n(Castellan may link [^\n]+)\n```/.exec(offered.text) ?? [];
    const told = createChat(discord).nextMessage("Proven: ");
    note("She casts the first text, as fid 1, in the Farcaster app", { pastes: 1, acts: 1 });
    await live.controls.cast({ fid: people.owner, text });
    const proven = see(await told);
    shows("general", proven.text);
    const linked = await click("owner", proven, "Link /garden");
    expect(linked.text).toContain(`the owner has to invite fid ${botFid}, as member and then as moderator`);
    await run("owner", "feed add", {}, "feed");
  },
);

it("follows by itself, accepts what the owner invites it to, and says that it moderates", slow, async () => {
  for (const role of ["member", "moderator"] as const) {
    recording.note(`She invites fid ${botFid} as ${role}, in the Farcaster app`, { acts: 1 });
    await live.as(people.owner).channelInvites.invite({ channelId: "garden", inviteFid: botFid, role });
    const held = `${role}s` as const;
    await vi.waitFor(
      async () => expect((await live.controls.look("garden"))[held]).toContain(botFid),
      polling,
    );
  }
  await showFeed("Castellan is a moderator now: Garden");
});

it("bans in the room, with one command and one click", slow, async () => {
  const preview = await recording.run("owner", "ban", {
    user: "@troll",
    reason: "insults",
    duration: "permanent",
  });
  const done = await recording.click("owner", preview, "Ban");
  expect(done.text).toMatch(/^C-\d+ · Ban · done/);
  await showFeed("Banned from Garden");
  const { banned } = await live.controls.look("garden");
  recording.note(`The network's own list of bans in /garden: fid ${banned.join()}`);
  expect(banned).toEqual([people.troll]);
  recording.total("From nothing to here");
  const doctor = runProgram(["doctor"], settings());
  expect(await doctor.exit, doctor.output()).toBe(0);
  recording.command("castellan doctor", doctor.output());
});

it("goes on with the second of two hubs where the first wants money, and doctor says so", slow, async () => {
  recording.note("The operator names a second hub, and the plan of the first one ends");
  await instance.end();
  const HUB_URL = `${hubs.unpaid}, ${live.urls.hub} ${hubKey}`;
  instance = runProgram(["start"], { ...settings(), HUB_URL });
  await instance.ready;
  await live.controls.cast({ fid: people.fan, text: "Moonflowers opened!", channelId: "garden" });
  const chat = createChat(discord);
  await vi.waitFor(
    async () => expect((await chat.run("owner", "who", { user: "@fan" })).text).toContain("1 cast"),
    { ...polling, interval: 1_000 },
  );
  const doctor = runProgram(["doctor"], { ...settings(), HUB_URL });
  expect(await doctor.exit).toBe(1);
  expect(doctor.output()).toMatch(/^WRONG +Hub .*\(402\)/m);
  recording.command("castellan doctor", doctor.output());
  await instance.end();
  instance = runProgram(["start"], settings());
  await instance.ready;
});

it("says everywhere that its key was revoked on the phone", slow, async () => {
  recording.note("The next day somebody revokes the bot's key, in the Farcaster app on its phone");
  await live.controls.revokeKeys(botFid);
  const preview = await recording.run("owner", "ban", {
    user: "@fan",
    reason: "spam",
    duration: "permanent",
  });
  const refused = await recording.click("owner", preview, "Ban");
  expect(refused.text).toContain("does not accept Castellan's key");
  await showFeed("The network refuses Castellan's key");
  const { text: status } = await createChat(discord).run("owner", "status", {}, "general");
  expect(status).toContain("The network refuses Castellan's key");
  // The rest of it differs from run to run.
  recording.shows("general", status.split("\n").slice(0, 3).join("\n"));
  expect((await fetch(`http://127.0.0.1:${port}/readycheck`)).status).toBe(503);
  const told = instance
    .output()
    .split("\n")
    .filter((line) => line.includes("the network refuses the bot's key"));
  expect(told).toHaveLength(1);
});

/** Waits until the feed's room tells this, and records it. */
async function showFeed(title: string): Promise<void> {
  const found = await vi.waitFor(() => {
    const told = readFeed(discord, "feed").find((one) => one.title === title);
    if (!told) throw new Error(`the room was not told: ${title}`);
    return told;
  }, polling);
  recording.shows("feed", `${title}\n${found.description}`.trimEnd());
}

it("says what went wrong since, and how to fix it, with exit code 1", slow, async () => {
  await live.controls.fail("registry", "*", { what: "html" });
  await live.controls.fallBehind(2);
  recording.note("Later: the registry shows a web page, too, and the hub stands still");
  const doctor = runProgram(["doctor"], settings());
  expect(await doctor.exit).toBe(1);
  recording.command("castellan doctor", doctor.output());
  const json = runProgram(["doctor", "--json"], settings());
  expect(await json.exit).toBe(1);
  expect(JSON.parse(json.output())).toContainEqual(
    expect.objectContaining({ state: "wrong", message: expect.stringMatching(/^is 12\d minutes behind\.$/) }),
  );
});

it("tells nobody but its operator", slow, async () => {
  for (const headers of [{}, { authorization: "Bearer a-token-that-is-not-the-operators" }]) {
    const { status } = await fetch(`http://127.0.0.1:${port}/operator/doctor`, { headers });
    expect(status).toBe(401);
  }
});

it("says at the start what is wrong, loudly, and works all the same", slow, async () => {
  expect(await instance.end()).toBe(0);
  instance = runProgram(["start"], settings());
  await instance.ready;
  while (!instance.output().includes("castellan doctor has checked")) await sleep(50);
  const lines = instance.output().split("\n");
  const told = lines.filter((line) => line.includes('"level":50') && line.includes('"fix":'));
  expect(told.map((line) => /"part":"(\w+)/.exec(line)?.[1])).toEqual(["Registry", "Hub", "Key", "Key"]);
  expect((await fetch(`http://127.0.0.1:${port}/healthcheck`)).status).toBe(200);
});

it("is as docs/guide/setup-recording.txt shows it; npx vitest -u writes it anew", async () => {
  await expect(recording.text()).toMatchFileSnapshot("../../docs/guide/setup-recording.txt");
});

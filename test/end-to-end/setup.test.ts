import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Wallet } from "ethers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startLiveServices, type LiveServices } from "../cli/live-services.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { makeFilledDirectory, runProgram, type DataDirectory, type Program } from "../support/program.ts";

const main = fileURLToPath(new URL("../../dist/src/main.js", import.meta.url));
const token = "the.token.of.this.test";
const botFid = 9001;
const phrase = "test test test test test test test test test test test junk";
const hubKey = "x-api-key=KEY-OF-THE-HUB";
const slow = { timeout: 120_000 };

let home: DataDirectory;
let discord: TestDiscord;
let live: LiveServices;
let port: number;
let instance: Program;
const cursorMoves = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;?]*[A-Za-z]`, "g");
/** What a terminal showed, with what differs from run to run made equal. */
const recording: string[] = [];

beforeAll(async () => {
  [home, discord, live, port] = await Promise.all([
    makeFilledDirectory(),
    startTestDiscord({ token }),
    startLiveServices(),
    findPort(),
  ]);
  live.custody.set(botFid, Wallet.fromPhrase(phrase).address);
  live.names.push({ name: "castellan", fid: botFid, fidAtHub: botFid });
  live.hub.apiKey = hubKey.split("=")[1];
}, 60_000);
afterAll(async () => {
  await instance?.end();
  await Promise.all([discord.stop(), live.close()]);
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

function record(command: string, shown: string): void {
  const fixed = shown
    .replaceAll("\r", "")
    // What the terminal is told about its cursor.
    .replaceAll(cursorMoves, "")
    .replaceAll(home.directory, "/srv/castellan")
    .replaceAll(discord.applicationId, "1234567890123456789")
    .replaceAll(live.url, "https://api.example.org")
    .replaceAll(live.url.slice("http://".length), "api.example.org")
    .replaceAll(`127.0.0.1:${port}`, "127.0.0.1:4680")
    .replaceAll(/0x[0-9a-f]{8}…[0-9a-f]{4}/g, "0x1f2e3d4c…5b6a")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2027-01-02 03:04 UTC")
    .replaceAll(/in \d+ ms/g, "in 40 ms")
    .replaceAll(/, \d+ s behind/g, ", 1 s behind")
    .replaceAll(/has [\d.]+ [GM]B free/g, "has 80.0 GB free")
    .replaceAll(/\d+ migrations/g, "28 migrations")
    .replaceAll(/Castellan [\d.]+, Node v[\d.]+/g, "Castellan 0.1.0, Node v20.20.2");
  recording.push(`$ ${command}\n${fixed.trimEnd()}\n`);
}

/** Types answers at a terminal, each when its question is there; gives what the terminal showed, and the exit code. */
async function typeInto(
  words: string[],
  answers: [question: string, answer: string][],
  meanwhile: () => void,
) {
  const command = [process.execPath, "--liftoff-only", main, ...words].join(" ");
  const child = spawn("/usr/bin/script", ["-qfec", command, "/dev/null"], {
    env: { ...settings(), TERM: "dumb", DISCORD_API: discord.api, COLUMNS: "200" },
    stdio: "pipe",
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  const exit = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  let from = 0;
  const see = async (text: string) => {
    while (!shown.includes(text, from)) {
      if (child.exitCode !== null) throw new Error(`it ended before it said ${text}: ${shown}`);
      await sleep(20);
    }
    from = shown.indexOf(text, from) + text.length;
  };
  for (const [question, answer] of answers) {
    await see(question);
    child.stdin.write(`${answer}\r`);
  }
  await see("Waiting for the answer");
  meanwhile();
  const code = await exit;
  return { shown, code };
}

// One story: each test goes on where the one before it ended.
it.skipIf(!existsSync("/usr/bin/script"))(
  "is set up at a terminal, where no secret is shown",
  slow,
  async () => {
    const answers: [string, string][] = [
      ["Discord bot token (hidden): ", token],
      ["Network (live, sample or empty) [live]: ", ""],
      ["Client API [https://api.farcaster.xyz]: ", live.url],
      ["Name registry [https://fnames.farcaster.xyz]: ", live.url],
      ["Fid of the bot's account: ", String(botFid)],
      ["Hub: ", live.url],
      ["header=value (hidden; Enter: none): ", hubKey],
      ["(hidden; Enter: elsewhere): ", phrase],
    ];
    const began = performance.now();
    const { shown, code } = await typeInto(["setup"], answers, () =>
      live.answer(live.keyRequests[0]?.token ?? "", "completed"),
    );
    expect(code, shown).toBe(0);
    for (const secret of [token, hubKey, phrase]) expect(shown).not.toContain(secret);
    record("castellan setup", shown);
    const pasted = answers.filter(([, answer]) => answer.length > 10).map(([, answer]) => answer);
    const typed = answers.flatMap(([, answer]) => (answer.length > 10 ? [] : [answer])).join("").length;
    recording.push(
      `# ${pasted.length} pastes, ${typed + answers.length} keys (${answers.length} of them Enter), and one approval on the phone.\n`,
    );
    // What the machine takes, under whatever load.
    expect(performance.now() - began).toBeLessThan(60_000);
  },
);

it("starts with what was set up, and looks at itself", slow, async () => {
  instance = runProgram(["start"], settings());
  await instance.ready;
  while (!instance.output().includes("castellan doctor has looked")) await sleep(50);
  expect(instance.output()).toMatch(/"wrong":0,"msg":"castellan doctor has looked/);
  for (const secret of [token, "KEY-OF-THE-HUB", phrase]) expect(instance.output()).not.toContain(secret);
});

it("is looked at while it runs, and everything is right", slow, async () => {
  const doctor = runProgram(["doctor"], settings());
  expect(await doctor.exit, doctor.output()).toBe(0);
  expect(doctor.output()).toMatch(/^ok +Instance +runs at/m);
  expect(doctor.output()).toMatch(/^ok +Database \(embedded\)/m);
  record("castellan doctor", doctor.output());
});

it("says what went wrong since, and how to mend it, with exit code 1", slow, async () => {
  live.faults.set("registry", "html");
  live.hub.behind = 7200;
  live.signers.splice(0);
  const doctor = runProgram(["doctor"], settings());
  expect(await doctor.exit).toBe(1);
  record("castellan doctor", doctor.output());
  const json = runProgram(["doctor", "--json"], settings());
  expect(await json.exit).toBe(1);
  expect(JSON.parse(json.output())).toContainEqual(
    expect.objectContaining({ state: "wrong", message: "is 120 minutes behind." }),
  );
});

it("tells nobody but its operator", slow, async () => {
  for (const headers of [{}, { authorization: "Bearer a-token-that-is-not-the-operators" }]) {
    const { status } = await fetch(`http://127.0.0.1:${port}/operator/doctor`, { headers });
    expect(status).toBe(401);
  }
});

it("says at the start what is wrong, loudly, and works all the same", slow, async () => {
  expect((await instance.end()).code).toBe(0);
  instance = runProgram(["start"], settings());
  await instance.ready;
  while (!instance.output().includes("castellan doctor has looked")) await sleep(50);
  const lines = instance.output().split("\n");
  const told = lines.filter((line) => line.includes('"level":50') && line.includes('"mend":'));
  expect(told.map((line) => /"part":"(\w+)/.exec(line)?.[1])).toEqual(["Registry", "Hub", "Key"]);
  expect((await fetch(`http://127.0.0.1:${port}/healthcheck`)).status).toBe(200);
});

it("is as docs/setup-recording.txt shows it; npx vitest -u writes it anew", async () => {
  await expect(recording.join("\n")).toMatchFileSnapshot("../../docs/setup-recording.txt");
});

/**
 * `npm run journeys`: through how many files of ours three ordinary things pass, from V8's coverage of one run of each. A
 * file counts when a function of it ran; what stands in for Discord does not, nor what it alone runs here. docs/architecture.md
 * tells of the same files.
 */
import { Session } from "node:inspector/promises";
import { relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seconds, systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { workers } from "../../workers/index.ts";
import { prepareTemplate } from "../support/database-template.ts";
import { botFid, fids, openGarden } from "../support/garden.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";

const root = resolve(import.meta.dirname, "../..");
const ours = /^(src\/(?!sandbox\/|listening\.ts)|commands\/|workers\/)/;
const channelId = "garden";
/** Without a name yet. */
const newcomer = 21;

await prepareTemplate();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const garden = await openGarden("in this process", { workers: false });
try {
  await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
  await garden.run("owner", "channel link", { channel: channelId });
  await garden.run("owner", "feed add", {}, "feed");
  await garden.run("owner", "feed add", { kinds: "names" }, "feed");
  await runWorkers(...workers.map(({ name }) => name));
  await sleep(1_000);

  const custodyAddress = custodyOf(newcomer).address;
  await garden.operator.importNetwork({ accounts: [{ fid: newcomer, custodyAddress }] });
  const claim = await signTransfer({ name: "alba", from: 0, to: newcomer, timestamp: seconds(systemClock) });
  await print("POST /transfers", async () => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${garden.url}/transfers`, {
      method: "POST",
      headers,
      body: JSON.stringify(claim),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    await response.text();
  });

  await print("a hub event becomes a message in a room", async () => {
    const message = garden.nextMessage("alba");
    await runWorkers("poll-hub", "deliver-feed");
    await message;
  });

  await print("/ban add becomes a ban, a case and a message", async () => {
    const asked = await garden.run("moderator", "ban add", { user: String(fids.troll) });
    const banned = garden.nextMessage("Banned from Garden");
    const done = await garden.click("moderator", asked, "Ban");
    if (!done.text.includes("done")) throw new Error(done.text);
    await runWorkers("poll-listings", "deliver-feed");
    await banned;
  });
} finally {
  await garden.stop();
}

/** One run of each, one after the other. */
async function runWorkers(...names: string[]): Promise<void> {
  const job = { key: undefined, attempt: 1, signal: new AbortController().signal, log: silentLog };
  for (const name of names) await workers.find((worker) => worker.name === name)?.run(garden.context(), job);
}

async function print(title: string, journey: () => Promise<void>): Promise<void> {
  await session.post("Profiler.takePreciseCoverage");
  await journey();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result
    .filter(({ url, functions }) => url.startsWith("file:") && functions.some(hasRun))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((file) => ours.test(file))
    .toSorted();
  process.stdout.write(`${title}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join("")}`);
}

/** The script itself, which ran when it was loaded, begins where its text does. */
function hasRun({ ranges: [whole] }: { ranges: { startOffset: number; count: number }[] }): boolean {
  return whole !== undefined && whole.startOffset > 0 && whole.count > 0;
}

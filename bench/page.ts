import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { systemClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { postMessage } from "../src/sandbox/discord/messages/write-message.ts";
import { startDiscord, type Discord } from "../src/sandbox/discord/start-discord.ts";
import { createSandboxPage } from "../src/sandbox/page-server.ts";
import { openBrowser } from "../test/support/browser.ts";
import { testToken, testWorld } from "../test/support/discord.ts";
import { judge, percentile, write } from "./figures.ts";

/**
 * The sandbox's page in a room of 10,000 messages with relative timestamps: its processor use when idle, and the time
 * from a keystroke to its frame. At the room's end, and far up in it.
 */
const messages = 10_000;
const embedsOfMessage = 3;
const idleSeconds = 15;
const text = "What does a moderator write at two at night? ".repeat(2);
const goals = { idlePercent: 2, keystroke: 50 };

function fill({ context, applicationId: authorId }: Discord, roomId: string): void {
  for (let n = 0; n < messages; n += 1) {
    // From seconds to hours ago.
    const time = Math.floor(Date.now() / 1000) - Math.floor((messages - n) * 1.5);
    const embed = { title: `Banned ${n}`, description: `since <t:${time}:R>` };
    const body = { embeds: Array.from({ length: embedsOfMessage }, () => embed) };
    postMessage(context, { roomId, authorId, body });
  }
}

/** Seconds of processor time of the page's main thread. */
async function worked(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

async function measureIdle(session: CDPSession): Promise<number> {
  const [before, began] = [await worked(session), performance.now()];
  await sleep(idleSeconds * 1000);
  return ((await worked(session)) - before) / ((performance.now() - began) / 1000);
}

/** Milliseconds from each keystroke to the end of the frame that shows it. */
async function measureKeys(page: Page): Promise<number[]> {
  const line = page.getByRole("combobox", { name: /^Message #/ });
  await line.focus();
  await page.evaluate(`{
    window.drawn = [];
    addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => window.drawn.push(performance.now() - timeStamp)));
    }, true);
  }`);
  await page.keyboard.type(text, { delay: 60 });
  const drawn = await page.evaluate<number[]>("window.drawn");
  await line.fill("");
  return drawn;
}

async function measure(page: Page, session: CDPSession, where: string): Promise<boolean> {
  const held = await page.getByRole("article").count();
  const idle = (await measureIdle(session)) * 100;
  const keys = await measureKeys(page);
  write(`${where}: ${held} of ${messages} messages drawn, ${await page.locator(".embed").count()} embeds`);
  return [
    judge(`processor, idle, ${where} (%)`, idle, { most: goals.idlePercent }),
    judge(`a keystroke, p99, ${where} (ms)`, percentile(keys, 99), { most: goals.keystroke }),
  ].every(Boolean);
}

const directory = await mkdtemp(join(tmpdir(), "castellan-page-"));
const browser = await openBrowser();
const discord = await startDiscord({
  ...testWorld,
  file: join(directory, "discord.jsonl"),
  host: "127.0.0.1",
  port: 0,
  token: testToken,
  clock: systemClock,
  log: silentLog,
  page: (server) => createSandboxPage(server, silentLog),
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(discord.origin);
  await page.getByRole("combobox", { name: "Message #general" }).waitFor();
  const general = [...discord.context.world.rooms.values()].find(({ name }) => name === "general");
  const began = performance.now();
  fill(discord, general?.id ?? "");
  await page
    .getByText(`Banned ${messages - 1}`)
    .first()
    .waitFor({ timeout: 120_000 });
  write(`${messages} messages came in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await sleep(2000);
  const passed = [await measure(page, session, "at the end")];
  for (let n = 0; n < 60; n += 1) {
    await page.evaluate(`document.querySelector(".feed").scrollTop = 0`);
    await sleep(100);
  }
  passed.push(await measure(page, session, "far up"));
  if (!passed.every(Boolean)) process.exitCode = 1;
} finally {
  await browser.close();
  await discord.stop();
  await rm(directory, { recursive: true });
}

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { postMessage } from "../../src/sandbox/discord/messages/write-message.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { browserPath, openBrowser, openSandboxTab, type SandboxTab } from "../support/browser.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";

test.skipIf(browserPath)("there is no browser on this machine: no room was left open in one", () => {
  expect(browserPath).toBeUndefined();
});

/** What the page has asked of the browser since it was opened. */
interface Asked {
  intervals: number;
  formatters: number;
  timers: number;
}

const countAsked = `
  window.asked = { intervals: 0, formatters: 0, timers: 0 };
  const count = (what, made) => ((window.asked[what] += 1), made);
  const { setInterval: every, setTimeout: after } = window;
  window.setInterval = (...given) => count("intervals", every(...given));
  window.setTimeout = (...given) => count("timers", after(...given));
  for (const name of ["DateTimeFormat", "RelativeTimeFormat"]) {
    Intl[name] = new Proxy(Intl[name], {
      construct: (format, given) => count("formatters", Reflect.construct(format, given)),
    });
  }
`;

describe.runIf(browserPath)("a room with hundreds of messages", { timeout: 60_000 }, () => {
  let browser: Browser;
  let discord: TestDiscord;
  let tab: SandboxTab;

  const anHourAgo = Math.floor(Date.now() / 1000) - 5400;
  function tell(count: number, time = anHourAgo): void {
    const embed = {
      title: "Banned",
      description: `since <t:${time}:R>`,
      timestamp: new Date().toISOString(),
    };
    const body = { embeds: Array.from({ length: 3 }, () => embed) };
    const { general: roomId } = discord.rooms;
    const { context, applicationId: authorId } = discord;
    for (let n = 0; n < count; n += 1) postMessage(context, { roomId, authorId, body });
  }
  const asked = () => tab.page.evaluate<Asked>("window.asked");
  const articles = () => tab.chat.getByRole("article").count();
  const scrollToTop = () => tab.page.evaluate(`document.querySelector(".feed").scrollTop = 0`);

  beforeAll(async () => {
    discord = await startTestDiscord({ page: (server) => createSandboxPage(server, silentLog) });
    tell(120);
    browser = await openBrowser();
    tab = await openSandboxTab(browser, discord.origin, countAsked);
    await tab.enterRoom("general");
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await discord.stop();
  });

  it("keeps the newest 200 at its end, and loads what is older for who scrolls up", async () => {
    await expect.poll(articles).toBe(50);
    tell(300);
    await expect.poll(articles).toBe(200);
    await scrollToTop();
    await expect.poll(articles).toBeGreaterThanOrEqual(250);
    await tab.chat.getByRole("button", { name: "Older messages" }).waitFor();
    tell(1);
    await tab.chat.getByRole("button", { name: "New messages" }).click();
    tell(1);
    await expect.poll(articles).toBe(200);
  });

  it("runs one timer for all that says how long ago, and makes no formatter again", async () => {
    const before = await asked();
    tell(1, Math.floor(Date.now() / 1000));
    for (const words of [/since \d seconds? ago/, /since [3-9] seconds ago/]) {
      await tab.message(words).waitFor();
    }
    const after = await asked();
    expect(after.formatters).toBe(before.formatters);
    expect(after.intervals).toBe(before.intervals);
    // Of 600 that say "1 hour ago" none asks again; what is new asks each second, once for its three.
    expect(after.timers - before.timers).toBeLessThan(60);
  });
});

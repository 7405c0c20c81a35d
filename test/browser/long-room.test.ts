import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { postMessage } from "../../src/sandbox/discord/messages/write-message.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { browserPath, openSandboxTab, useBrowser, type SandboxTab } from "../support/browser.ts";
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

describe.runIf(browserPath)("a room with hundreds of messages", () => {
  const browser = useBrowser();
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
  const scroll = (to: string) =>
    tab.page.evaluate(`{
    const feed = document.querySelector(".feed");
    feed.scrollTop = ${to};
  }`);
  /** The uppermost message in sight, and how far it is from the feed's edge. */
  const inSight = () =>
    tab.page.evaluate<{ id: string; top: number }>(`(() => {
      const edge = document.querySelector(".feed").getBoundingClientRect().top;
      const all = [...document.querySelectorAll("article")];
      const first = all.find((one) => one.getBoundingClientRect().bottom > edge);
      return { id: first.id, top: Math.round(first.getBoundingClientRect().top - edge) };
    })()`);
  const topOf = (id: string | null) =>
    tab.page.evaluate<number>(`(() => {
      const edge = document.querySelector(".feed").getBoundingClientRect().top;
      return document.getElementById("${id}").getBoundingClientRect().top - edge;
    })()`);
  const firstHeld = () => tab.chat.getByRole("article").first().getAttribute("id");

  beforeAll(async () => {
    discord = await startTestDiscord({ page: (server) => createSandboxPage(server, silentLog) });
    tell(700);
    tab = await openSandboxTab(browser, discord.origin, countAsked);
    await tab.enterRoom("general");
  });

  afterAll(async () => {
    await discord.stop();
  });

  it("holds the newest 200 at its end, however fast they come", async () => {
    await expect.poll(articles).toBe(50);
    tell(350);
    await expect.poll(articles).toBe(200);
    await tab.chat.getByRole("button", { name: "New messages" }).waitFor({ state: "detached" });
  });

  it("holds 300 of the room for who reads further up, and what they read stands still", async () => {
    for (const held of [250, 300, 300, 300]) {
      const before = await firstHeld();
      await scroll("0");
      await expect.poll(firstHeld).not.toBe(before);
      await expect.poll(articles).toBe(held);
      // What stood at the upper edge stands there still, though there is more above it.
      expect(await topOf(before)).toBeGreaterThan(0);
      expect(await topOf(before)).toBeLessThan(130);
    }
    const reading = await inSight();
    // Nothing came meanwhile, so nothing is new.
    await tab.chat.getByRole("button", { name: "To the end" }).waitFor();
    tell(50);
    await tab.chat.getByRole("button", { name: "New messages" }).waitFor();
    expect(await articles()).toBe(300);
    expect(await inSight()).toEqual(reading);
  });

  it("goes down again by scrolling, and to the newest at once by its button", async () => {
    const before = await firstHeld();
    await scroll("feed.scrollHeight");
    await expect.poll(firstHeld).not.toBe(before);
    expect(await articles()).toBe(300);
    discord.people.say({ user: "owner", room: "general", content: "the very newest" });
    expect(await tab.message("the very newest").count()).toBe(0);
    await tab.chat.getByRole("button", { name: "New messages" }).click();
    await tab.message("the very newest").waitFor();
    tell(1);
    await expect.poll(articles).toBeLessThanOrEqual(200);
    await tab.chat.getByRole("button", { name: "New messages" }).waitFor({ state: "detached" });
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

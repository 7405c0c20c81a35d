import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import type { Network } from "../../src/contract/index.ts";
import { silentLog } from "../../src/log.ts";
import {
  browserPath,
  openSandboxTab,
  takesPictures,
  useBrowser,
  type SandboxTab,
} from "../support/browser.ts";
import { findBarriers } from "../support/console-tab.ts";
import { type DataDirectory, makeFilledDirectory, type Program, runProgram } from "../support/program.ts";

test.skipIf(browserPath)("there is no browser on this machine: the story was not told in one", () => {
  expect(browserPath).toBeUndefined();
});

const channelId = "garden";
const fids = { bot: 9001, mo: 2, nia: 4, sam: 5, brook: 12 };

// One story: each test goes on where the one before it ended.
describe.runIf(browserPath)("the page of a started program", () => {
  const browser = useBrowser();
  let home: DataDirectory;
  let program: Program;
  let tab: SandboxTab;
  let network: Network;

  beforeAll(async () => {
    home = await makeFilledDirectory();
    program = runProgram(["start"], { DATA_DIR: home.directory });
    const { sandbox, network: url } = await program.ready;
    const urls = { clientUrl: url, registryUrl: url, hubUrl: url };
    network = createClient({ ...urls, clock: systemClock, log: silentLog });
    tab = await openSandboxTab(browser, sandbox);
  });

  afterAll(async () => {
    await program.end();
    await home.remove();
  });

  it("the owner invites the bot as moderator in the network pane", async () => {
    await tab.be("ada");
    await tab.openChannel(channelId);
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await findBarriers(tab.page)).toEqual([]);
    }
    await tab.network.getByLabel("fid to invite").fill(String(fids.bot));
    await tab.network.getByRole("button", { name: "Invite", exact: true }).click();
    await shows(tab.network.getByRole("status").getByText("Invited 9001 as moderator."));
    await shows(tab.list("Members").getByText("castellan (9001)"));
    const { channel } = await network.channels.get({ channelId });
    expect(channel.moderatorFids).toEqual([fids.mo, fids.bot]);
  });

  it("links the server to the channel and lets a room hear of it", async () => {
    await tab.enterRoom("garden-feed");
    await tab.type("setup link", { channel: channelId });
    await shows(tab.message("Castellan moderates it, so everything works now."));
    await tab.type("feed add", { channel: { type: "gar", choose: "/garden" } });
    await shows(tab.message("now gets events of /garden"));
  });

  it("a moderator bans, with a suggested name and Confirm: network, case and feed say so", async () => {
    await tab.be("mo");
    await tab.type("ban", {
      user: { type: "broo", choose: "@brook" },
      reason: "spam",
      duration: "permanent",
    });
    await tab.message("Ban from /garden?").getByRole("button", { name: "Ban", exact: true }).click();
    await shows(tab.message("C-1 · Ban · done"));
    await shows(tab.list("Banned").getByText("brook (12)"));
    await shows(tab.message("Banned from Night Garden").getByText("Reason: spam"));
    const { result } = await network.channelBans.list({ channelId });
    expect(result.bannedUsers).toMatchObject([{ fid: fids.brook }]);
  });

  it("hides a cast: network, case and feed say so", async () => {
    const text = "Slugs: 4, me: 0.";
    await tab.type("hide", { cast: { type: "Slugs", choose: text }, reason: "off topic" });
    await tab.message("Hide from /garden?").getByRole("button", { name: "Hide" }).click();
    await shows(tab.message("C-2 · Hide · done"));
    await shows(tab.cast(text).getByText("hidden", { exact: true }));
    await shows(tab.message("Cast hidden in Night Garden").getByText(text));
    const { result } = await network.moderatedCasts.list({ channelId });
    expect(result.moderationActions).toMatchObject([{ action: "hide", channelId }]);
  });

  it("pins a cast: network, case and feed say so", async () => {
    await tab.type("pin", { cast: { type: "hawk moth", choose: "hawk moth" } });
    await shows(tab.message("C-3 · Pin · done"));
    await shows(tab.cast("hawk moth").getByText("pinned", { exact: true }));
    await shows(tab.message("Pinned in Night Garden"));
    const { channel } = await network.channels.get({ channelId });
    expect(channel.pinnedCastHash).toMatch(/^0x/);
  });

  it("invites a follower, who accepts in the network pane and is a member", async () => {
    await tab.type("invite", { user: { type: "ni", choose: "@nia" } });
    await shows(tab.message("C-4 · Invite · done"));
    await shows(tab.list("Invited").getByText("nia (4)"));
    await shows(tab.message("Invited to join Night Garden"));
    await tab.be("nia");
    await shows(tab.network.getByText("You are invited to /garden as member."));
    await tab.network.getByRole("button", { name: "Accept" }).click();
    await shows(tab.list("Members").getByText("nia (4)"));
    await shows(tab.message(/Joined Night Garden[^]*nia/));
    const { result } = await network.channelMembers.list({ channelId, fid: fids.nia });
    expect(result.members).toMatchObject([{ fid: fids.nia }]);
  });

  it("lifts the ban: the user shows as restricted", async () => {
    await tab.be("mo");
    await tab.type("undo", { what: { type: "broo", choose: "Lift the ban of @brook" } });
    await tab.message("Lift the ban from /garden?").getByRole("button", { name: "Lift the ban" }).click();
    await shows(tab.message("C-5 · Unban · done"));
    await shows(tab.list("Restricted").getByText("brook (12)"));
    await shows(tab.message(/Ban lifted in Night Garden[^]*Restricted/));
    await tab.type("case show", { number: "1" });
    await shows(tab.message("C-1 · Ban · lifted since"));
    const { result } = await network.channelRestrictedUsers.list({ channelId });
    expect(result.restrictedUsers).toMatchObject([{ fid: fids.brook }]);
  });

  it.each([
    ["ban", { user: "mel" }],
    ["undo", { what: "brook" }],
    ["hide", { cast: `0x${"ab".repeat(20)}` }],
    ["pin", { cast: `0x${"ab".repeat(20)}` }],
    ["invite", { user: "nia" }],
    ["setup unlink", { channel: channelId }],
  ])("a stranger is refused /%s", async (command, options) => {
    await tab.be("sam");
    await tab.type(command, options);
    await shows(tab.answerTo(command).getByText(/^You may not/));
  });

  it("nor does the network pane offer a stranger anything of it", async () => {
    const moderation = /^(Ban author|Hide|Pin|Unban|Remove|Revoke)$/;
    expect(await tab.network.getByRole("button", { name: moderation }).count()).toBe(0);
    expect(await tab.network.getByRole("form", { name: "Invite" }).count()).toBe(0);
    expect((await network.channelBans.list({ channelId })).result.bannedUsers).toEqual([]);
  });

  it("what the network refuses stays in its field", async () => {
    const form = tab.network.getByRole("form", { name: "Key request" });
    await form.getByLabel("Key request").fill("no link");
    await form.getByRole("button", { name: "Approve" }).click();
    await shows(tab.network.getByText("That is not a key request."));
    await expect.poll(() => form.getByLabel("Key request").inputValue()).toBe("no link");
    await form.getByLabel("Key request").fill("");
    // The browser's own line about the refusal.
    expect(tab.complaints.splice(0)).toEqual([expect.stringContaining("Failed to load resource")]);
  });

  it("a rule hides and bans by itself, with nobody typing a command", async () => {
    await tab.openChannel("night-market");
    await tab.enterRoom("market-feed");
    for (const text of ["Claim your airdrop now", "Last chance to claim this airdrop"]) {
      await tab.network.getByLabel("New cast").fill(text);
      await tab.network.getByRole("button", { name: "Cast", exact: true }).click();
      await shows(tab.cast(text));
    }
    await shows(tab.message(/banned[^]*Two hidden casts within an hour/));
    await shows(tab.list("Banned").getByText("sam (5)"));
    const { result } = await network.channelBans.list({ channelId: "night-market" });
    expect(result.bannedUsers).toMatchObject([{ fid: fids.sam }]);
  });

  it("bans for a day by a step of the welcome, and ticks off all that was done", async () => {
    await tab.be("mo");
    await tab.enterRoom("lobby");
    const welcome = tab.chat.getByRole("region", { name: "Welcome" });
    await welcome.getByRole("button", { name: "/ban duration:1d" }).click();
    await tab.chat.getByRole("combobox", { name: "Add an option" }).fill("user:");
    await tab.chat.locator('[data-option="user"]').fill("lark");
    await tab.chat.getByRole("option", { name: "@lark" }).first().click();
    await tab.chat.locator("button.run").click();
    await tab.message("Ban from /night-market?").getByRole("button", { name: "Ban", exact: true }).click();
    await shows(tab.message(/Banned from Night Market[^]*@mo/));
    await tab.enterRoom("lobby");
    const done = welcome.getByRole("img", { name: "Done" });
    await expect.poll(() => done.count()).toBe(6);
    const desk = tab.chat.getByRole("link", { name: "Open the console" });
    expect(await desk.getAttribute("href")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console$/);
    await tab.type("status");
    await shows(tab.answerTo("status").getByRole("link", { name: "open the console" }));
  });

  it("the browser complained of nothing, and the program ends when asked", async () => {
    expect(tab.complaints).toEqual([]);
    expect(await program.end()).toBe(0);
    expect(program.output()).toMatch(/^castellan ready: .*\n$/);
  });
});

describe.runIf(browserPath && takesPictures)("the picture of the README", { timeout: 240_000 }, () => {
  const browser = useBrowser();
  it("shows the sandbox at work: a rule's ban, and a command being typed", async () => {
    const home = await makeFilledDirectory();
    const program = runProgram(["start"], { DATA_DIR: home.directory, SANDBOX_TRAFFIC: "on" });
    try {
      const tab = await openSandboxTab(browser, (await program.ready).sandbox);
      await tab.be("mo");
      await tab.openChannel("night-market");
      await tab.enterRoom("market-feed");
      await tab.message(/Banned, \d casts hidden: /).waitFor({ timeout: 180_000 });
      await shows(tab.list("Banned").getByRole("listitem").first());
      await tab.chat.getByRole("combobox", { name: "Message #market-feed" }).fill("/ban");
      await tab.page.keyboard.press("Enter");
      await tab.page.keyboard.type("o");
      await tab.chat.getByRole("option", { name: "@" }).first().waitFor();
      await tab.page.screenshot({ path: "docs/pictures/sandbox.png" });
      expect(tab.complaints).toEqual([]);
    } finally {
      await program.end();
      await home.remove();
    }
  });
});

/** Waits until the page shows it, and fails when it does not. */
async function shows(what: Locator): Promise<void> {
  await what.waitFor();
  expect(await what.isVisible()).toBe(true);
}

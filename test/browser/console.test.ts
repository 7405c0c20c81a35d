import type { Page } from "playwright-core";
import { describe, expect, it, test } from "vitest";
import { setupKinds } from "../../src/text/setup-kinds.ts";
import { browserPath, takesPictures } from "../support/browser.ts";
import { findBarriers, shades, useConsoleTab, type ConsoleTab } from "../support/console-tab.ts";
import { people } from "../support/world.ts";

test.skipIf(browserPath)("there is no browser on this machine: the console was not seen in one", () => {
  expect(browserPath).toBeUndefined();
});

describe.runIf(browserPath)("the console in a browser", () => {
  const tab = useConsoleTab();
  let page: Page;

  const open = async (...args: Parameters<ConsoleTab["open"]>) => {
    await tab.open(...args);
    page = tab.page();
  };
  const openSignedIn = async () => {
    await tab.openSignedIn();
    page = tab.page();
  };
  const review = () => page.getByRole("article", { name: "Review R-1" });

  it("its first view is small", async () => {
    await open();
    const countBytes = tab.countBytes();
    await page.goto(`${tab.desk.origin}/console`);
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
    const bytes = await countBytes();
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(150_000);
  });

  it.each(shades)("shows everything as text, %s at %o, without barriers", async (shade, viewport) => {
    await tab.scene.hold();
    await open(shade, viewport);
    await tab.expectNoFaults();
    await tab.signIn("Mona Moderator");
    await review().waitFor();
    await page.getByRole("banner").getByText("Mona Moderator").waitFor();
    await tab.expectNoFaults();
    const picture = viewport.width === 390 ? "console-phone" : shade === "dark" ? "console-dark" : "console";
    if (takesPictures) await page.screenshot({ path: `docs/pictures/${picture}.png` });
    await review().getByRole("button", { name: "Hide" }).click();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await tab.goTo("Cases");
    await page.getByRole("link", { name: "C-1" }).waitFor();
    await tab.expectNoFaults();
    await page.getByRole("link", { name: "C-1" }).click();
    await page.getByRole("heading", { name: /C-1 · Hide · done/ }).waitFor();
    await tab.expectNoFaults();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").getByText("1 cast shows again.").waitFor();
    await tab.expectNoFaults();
    await page.keyboard.press("Escape");
    await tab.goTo("People");
    await page.getByRole("combobox", { name: "Who" }).fill("7");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Latest casts").waitFor();
    expect(await page.locator("main").textContent()).toContain('<img src=x onerror="window.hit=1"> **b**');
    await tab.expectNoFaults();
    for (const title of ["Rules", "Health", "Audit"]) {
      await tab.goTo(title);
      await page.locator(".card").first().waitFor();
      await tab.expectNoFaults();
    }
    const kinds = page.getByRole("navigation", { name: "Kind of change" }).getByRole("link");
    expect(await kinds.allInnerTexts()).toEqual(["All", ...setupKinds]);
  });

  it("is worked by the keyboard alone", async () => {
    await tab.scene.hold();
    await openSignedIn();
    await review().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await review().getByText("is reviewing it.").waitFor();
    await page.keyboard.press("b");
    await page.getByRole("dialog").getByRole("button", { name: "7 days" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await tab.scene.banned()).toEqual([]);
    await page.keyboard.press("d");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(tab.complaints()).toEqual([]);
  });

  it("several are chosen by keys and decided at once, a ban with its end and reason", async () => {
    await tab.scene.hold();
    await tab.scene.run("stranger", "report", { cast: tab.scene.castHash(), reason: "a scam" });
    await openSignedIn();
    const other = page.getByRole("article", { name: "Review R-2" });
    await other.waitFor();
    // The queue is for those who decide: it tells them who reported.
    await other.getByText("Sam Stranger").waitFor();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByText("2 are selected.").waitFor();
    await page.getByRole("checkbox", { name: "Select R-2" }).click();
    await page.getByText("R-1 is selected.").waitFor();
    await page.keyboard.press("x");
    await page.getByText("2 are selected.").waitFor();
    await page.getByRole("combobox", { name: "Decision" }).selectOption("Ban the authors");
    await page.locator("datalist option", { hasText: "30d" }).waitFor({ state: "attached" });
    await page.getByRole("combobox", { name: "Ban duration" }).fill("7d");
    await page.getByRole("combobox", { name: "Reason" }).fill("scams");
    await tab.expectNoFaults();
    await page.getByRole("button", { name: "Decide…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ban the authors of 2 reviews?").waitFor();
    await dialog.getByText("Reason: scams").waitFor();
    await dialog.getByRole("button", { name: "Ban both", exact: true }).click();
    await dialog.getByText("2 reviews").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    expect(await page.getByText("chosen").count()).toBe(0);
    expect(await tab.scene.banned()).toEqual([people.troll]);
    expect(tab.complaints()).toEqual([]);
  });

  it("is live: what is held, and what others decide, shows without a reload", async () => {
    await openSignedIn();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    const { feed } = await tab.scene.hold();
    await review().waitFor();
    await tab.scene.click("owner", feed, "Dismiss");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    expect(tab.complaints()).toEqual([]);
  });

  it("is live again when Castellan answers again, after it did not for a while", async () => {
    await open();
    let isAway = true;
    await page.route("**/live", (route) => (isAway ? route.fulfill({ status: 502 }) : route.continue()));
    await tab.signIn("Mona Moderator");
    await page.getByText("not live").waitFor();
    isAway = false;
    await page.getByText("live", { exact: true }).waitFor({ timeout: 60_000 });
    expect(await page.getByText("not live").count()).toBe(0);
  });

  it("also has keys that act on the subject of a review", async () => {
    await tab.scene.hold();
    await openSignedIn();
    await review().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("w");
    await page.getByText("Latest casts").waitFor({ timeout: 60_000 });
    expect(page.url()).toContain(`/people?user=${people.troll}`);
    expect(tab.complaints()).toEqual([]);
  });

  it("ends with the session, on every page that is open, and shows a stranger no desk", async () => {
    await openSignedIn();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await tab.scene.bot.database.query.deleteFrom("castellan.console_sessions").execute();
    await tab.scene.hold();
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
    await tab.signIn("Sam Stranger");
    await page.getByText("who moderates no channel here. The owner of a channel can give").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in with Discord" }).waitFor();
  });

  it("the page on which one chooses who one is, and the sandbox's own, have no barriers", async () => {
    await open();
    await page.getByRole("link", { name: "Sign in with Discord" }).click();
    await page.getByRole("button", { name: "Mona Moderator" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You were not signed in.").waitFor();
    await page.goto(tab.scene.discord.origin);
    await page.getByRole("combobox", { name: /^Message #/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath } from "../support/browser.ts";
import { addCasts } from "../support/casts.ts";
import { useConsoleTab } from "../support/console-tab.ts";
import { people } from "../support/world.ts";

describe.runIf(browserPath)("the keyboard focus in the console", () => {
  const tab = useConsoleTab();
  let page: Page;

  const open = async () => {
    await tab.openSignedIn();
    page = tab.page();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
  };
  const dialog = () => page.getByRole("dialog");
  const close = async () => {
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  };
  /** What has the focus: the name that a screen reader says, or the text. */
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.ariaLabel ?? document.activeElement.textContent.slice(0, 40)",
    );

  it("returns to the button of a question, and goes to the next review once this one is decided", async () => {
    await tab.scene.hold();
    await tab.scene.run("stranger", "report", { cast: tab.scene.castHash(), reason: "a scam" });
    await open();
    await page.getByRole("article", { name: "Review R-2" }).waitFor();
    const review = page.getByRole("article", { name: "Review R-1" });
    await review.getByRole("button", { name: "Ban" }).click();
    await dialog().getByRole("button", { name: "7 days" }).waitFor();
    // One way out, which is not a second button beside the question's own.
    expect(await dialog().getByRole("button", { name: "Close" }).count()).toBe(0);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Nothing was done.").waitFor();
    await expect.poll(focused).toMatch(/^Ban/);
    await page.keyboard.press("b");
    await dialog().getByRole("button", { name: "7 days" }).click();
    await review.waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Castellan's answer");
    await close();
    await expect.poll(focused).toBe("Review R-2");
    // The last of the list leaves none.
    await page.keyboard.press("d");
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
  });

  it("returns to the case that was undone", async () => {
    await tab.scene.hold();
    await open();
    await page.getByRole("article", { name: "Review R-1" }).getByRole("button", { name: "Hide" }).click();
    await page.goto(`${tab.desk.origin}/console/${tab.scene.discord.guildId}/cases/memes/C-1`);
    const undo = page.getByRole("article", { name: "Case C-1" }).getByRole("button", { name: "Undo" });
    await undo.click();
    await dialog().getByRole("button", { name: "Undo" }).click();
    await dialog().getByText("shown again").first().waitFor();
    await undo.waitFor({ state: "detached" });
    await close();
    await expect.poll(focused).toBe("Case C-1");
  });

  it("goes to the next cast after a ban of the author, and the hits are counted once for several changes", async () => {
    const { bot } = tab.scene;
    await addCasts(bot, 1, { fid: people.troll, text: "lantern" });
    await addCasts(bot, 2, { fid: people.member, text: "lantern" });
    await open();
    let counts = 0;
    let reads = 0;
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith("/found/count")) counts += 1;
      if (pathname.endsWith("/found")) reads += 1;
    });
    await page.clock.install();
    await page.goto(`${tab.desk.origin}/console/${tab.scene.discord.guildId}/find?text=lantern`);
    await page.getByText("1–3 of 3 casts, newest first").waitFor();
    const items = page.getByRole("article");
    await items.nth(0).focus();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Ban the author…" }).click();
    await dialog().getByRole("button", { name: "7 days" }).click();
    await dialog()
      .getByText(/banned/i)
      .first()
      .waitFor();
    await items.nth(0).getByText("author banned").waitFor();
    await close();
    await expect.poll(() => items.nth(1).and(page.locator(":focus")).isVisible()).toBe(true);
    expect(reads).toBeGreaterThan(2);
    expect(counts).toBe(1);
    await page.clock.fastForward("01:00");
    await expect.poll(() => counts).toBe(2);
    expect(tab.complaints()).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath } from "../support/browser.ts";
import { hostile, shades, useConsoleTab, type ConsoleTab } from "../support/console-tab.ts";

describe.runIf(browserPath)("a case in the console", () => {
  const tab = useConsoleTab();
  let page: Page;

  async function banAndOpen(...args: Parameters<ConsoleTab["openSignedIn"]>): Promise<void> {
    await tab.scene.hold();
    await tab.openSignedIn(...args);
    page = tab.page();
    await page.getByRole("article", { name: "Review R-1" }).getByRole("button", { name: "Ban" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "7 days" }).click();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await page.goto(`${tab.desk.origin}/console/${tab.scene.discord.guildId}/cases/memes/C-1`);
    await page.getByRole("heading", { name: /C-1 · Ban · done/ }).waitFor();
  }

  it.each(shades)("is edited in place, %s at %o", async (shade, viewport) => {
    await banAndOpen(shade, viewport);
    await page.getByRole("textbox", { name: "Reason" }).fill(hostile);
    await page.getByRole("button", { name: "Save the reason" }).click();
    await page.getByText("The reason is saved.").waitFor();
    await page.getByRole("textbox", { name: /^Comment/ }).fill(`seen ${hostile}`);
    await page.getByRole("button", { name: "Add the comment" }).click();
    await page.getByText("The comment is saved.").waitFor();
    expect(await page.getByRole("textbox", { name: /^Comment/ }).inputValue()).toBe("");
    await page
      .getByRole("article")
      .getByText(/: seen <img/)
      .waitFor();
    await tab.expectNoFaults();
    await page.getByRole("combobox", { name: /^Ends/ }).fill("permanent");
    await page.getByRole("button", { name: "Change the end…" }).click();
    await page.getByRole("dialog").getByText("Then: permanently").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Change the end" }).click();
    await page
      .getByRole("dialog")
      .getByText(/As of .*: banned/)
      .waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("article")
      .getByText(/As of .*: banned, permanently, by C-2/)
      .waitFor();
    await tab.expectNoFaults();
  });

  it.each(["light", "dark"] as const)("has its filters behind one button on a phone, %s", async (shade) => {
    await banAndOpen(shade, { width: 390, height: 844 });
    await tab.goTo("Cases");
    const row = page.getByRole("row", { name: /C-1/ });
    await row.waitFor();
    expect((await row.boundingBox())?.y).toBeLessThan(844 / 2);
    const words = page.getByRole("textbox", { name: "Words" });
    const filter = page.getByRole("button", { name: /^Filter/, expanded: false });
    expect(await words.isVisible()).toBe(false);
    await page.keyboard.press("/");
    await page.keyboard.press("Enter");
    await words.waitFor();
    await tab.expectNoFaults();
    await words.fill("nothing like it");
    await page.keyboard.press("Enter");
    await page.getByText("No cases.").waitFor();
    expect(await filter.textContent()).toBe("Filter (1 set)");
    expect(await words.isVisible()).toBe(false);
    await tab.expectNoFaults();
    await filter.click();
    expect(await words.inputValue()).toBe("nothing like it");
  });

  it("is edited by keys alone, and what is wrong is said with what was typed still there", async () => {
    await banAndOpen();
    await page.keyboard.press("e");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("by keys");
    await page.keyboard.press("Enter");
    await page.getByText("The reason is saved.").waitFor();
    await page.getByRole("combobox", { name: /^Ends/ }).fill("soon");
    await page.keyboard.press("Enter");
    await page
      .getByRole("dialog")
      .getByText(/is not a duration/)
      .waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("combobox", { name: /^Ends/ }).inputValue()).toBe("soon");
  });
});

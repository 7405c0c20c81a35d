import type { Page } from "playwright-core";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { browserPath, takesPictures } from "../support/browser.ts";
import { addCasts } from "../support/casts.ts";
import { hostile, shades, useConsoleTab } from "../support/console-tab.ts";
import { people } from "../support/world.ts";

describe.runIf(browserPath)("bulks and statistics in the console", () => {
  const tab = useConsoleTab();
  let page: Page;

  it.each(shades)("are begun, undone, counted and kept as a file, %s at %o", async (shade, viewport) => {
    await addCasts(tab.scene.bot, 3, { fid: people.troll, text: `lantern ${hostile}` });
    await tab.openSignedIn(shade, viewport);
    page = tab.page();
    const dialog = page.getByRole("dialog");
    const picture = async (name: string) => {
      const kind = viewport.width === 390 ? "phone" : shade;
      if (takesPictures) await page.screenshot({ path: `docs/pictures/${name}-${kind}.png`, fullPage: true });
    };
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await page.getByText("No bulks yet.").waitFor();
    await page.getByText("Start one").click();
    await page.getByRole("textbox", { name: "With this text" }).fill("lantern");
    await page.getByRole("combobox", { name: "Reason" }).fill(hostile);
    await tab.expectNoFaults();
    await page.getByRole("button", { name: "Find them…" }).click();
    await dialog.getByText("Hide 3 casts in /memes?").waitFor();
    await tab.expectNoFaults();
    await dialog.getByRole("button", { name: "Hide all of them" }).click();
    await dialog.getByText("3 casts hidden").waitFor();
    await page.keyboard.press("Escape");
    const bulk = page.getByRole("article", { name: "Bulk B-1" });
    await bulk.getByText("3 casts hidden").waitFor();
    await picture("console-bulks");
    await tab.expectNoFaults();
    await bulk.getByRole("button", { name: "Every target" }).click();
    const [targets] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save bulk-1.txt" }).click(),
    ]);
    expect(await readFile(await targets.path(), "utf8")).toContain("C-3");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await bulk.getByRole("button", { name: "Undo" }).waitFor();
    await bulk.focus();
    await page.keyboard.press("u");
    await dialog.getByRole("button", { name: "Undo all of it" }).click();
    await dialog.getByText("3 casts shown again").waitFor();
    await page.keyboard.press("Escape");
    await bulk.getByText("Undone by B-2").waitFor();
    expect(await bulk.getByRole("button").allTextContents()).toEqual(["Every target t"]);
    await tab.goTo("Statistics");
    await page.getByRole("img", { name: /^Statistics of/ }).waitFor();
    await page.getByText("6 cases").waitFor();
    await picture("console-statistics");
    const since = page.getByRole("textbox", { name: "Since" });
    await since.fill("7d");
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("6 cases").waitFor();
    expect(await since.inputValue()).toBe("7d");
    await tab.expectNoFaults();
    await tab.goTo("Cases");
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV" }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe("cases-memes.csv");
    expect((await readFile(await csv.path(), "utf8")).split("\r\n")).toHaveLength(8);
    await tab.expectNoFaults();
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath } from "../support/browser.ts";
import { addCasts } from "../support/casts.ts";
import { hostile, shades, useConsoleTab } from "../support/console-tab.ts";
import { people } from "../support/world.ts";

describe.runIf(browserPath)("casts in the console", () => {
  const tab = useConsoleTab();
  let page: Page;

  it.each(shades)("are found, selected, hidden and shown again, %s at %o", async (shade, viewport) => {
    const { bot } = tab.scene;
    const casts = await addCasts(bot, 4, { fid: people.troll, text: `lantern ${hostile}` });
    const { query } = bot.database;
    await query
      .updateTable("castellan.casts")
      .set({ parent_hash: casts[0] ?? null, embeds: JSON.stringify(["https://lure.example/claim"]) })
      .where("hash", "=", casts[3] ?? "")
      .execute();
    await tab.openSignedIn(shade, viewport);
    page = tab.page();
    const dialog = page.getByRole("dialog");
    const items = page.getByRole("article");
    const isFocused = (at: number) => items.nth(at).and(page.locator(":focus")).isVisible();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByRole("heading", { name: "Find", level: 1 }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("lantern");
    await page.keyboard.press("Enter");
    await page.getByText("1–4 of 4 casts, newest first").waitFor();
    expect(new URL(page.url()).search).toBe("?text=lantern");
    await page.reload();
    await page.getByText("1–4 of 4 casts, newest first").waitFor();
    expect(await items.nth(0).textContent()).toContain("https://lure.example/claim");
    await tab.expectNoFaults();
    for (const at of [0, 1]) {
      await items.nth(at).focus();
      await page.keyboard.press("x");
    }
    await page.getByText("2 are selected.").waitFor();
    await page.getByRole("button", { name: "Ban the author…" }).waitFor();
    await tab.expectNoFaults();
    await page.getByRole("button", { name: "Hide 2 casts…" }).click();
    await dialog.getByText("Hide 2 casts in /memes?").waitFor();
    // Nothing was done yet: what was selected stays selected.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Hide 2 casts…" }).click();
    await dialog.getByRole("button", { name: "Hide all of them" }).click();
    await dialog.getByText("2 casts hidden").waitFor();
    await tab.expectNoFaults();
    await items.nth(1).getByText("hidden", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByText(/selected\.$/).count()).toBe(0);
    expect(await isFocused(2)).toBe(true);
    await items.nth(0).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Show 1 cast again…" }).waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("button", { name: "Hide all matches…" }).click();
    await dialog.getByText("casts in /memes?").waitFor();
    await dialog.getByRole("button", { name: "Hide all of them" }).click();
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByRole("button", { name: "Undo all of it" }).click();
    await dialog.getByText(/casts? shown again/).waitFor();
    await page.keyboard.press("Escape");
    await tab.expectNoFaults();
  });

  it("are shown also where counting all of them fails", async () => {
    await addCasts(tab.scene.bot, 2, { fid: people.troll, text: "lantern" });
    await tab.openSignedIn();
    page = tab.page();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await page.route("**/found/count**", (route) =>
      route.fulfill({ status: 503, json: { code: "unavailable", message: "The database is busy." } }),
    );
    await page.goto(`${tab.desk.origin}/console/${tab.scene.discord.guildId}/find?text=lantern`);
    await page.getByText("2 on this page, newest first. Counting all of them failed.").waitFor();
    expect(await page.getByRole("article").count()).toBe(2);
  });
});

import { describe, expect, it } from "vitest";
import { browserPath } from "../support/browser.ts";
import { shades, useConsoleTab } from "../support/console-tab.ts";
import { people } from "../support/world.ts";

describe.runIf(browserPath)("a channel in the console", () => {
  const tab = useConsoleTab();

  it.each(shades)("is locked down, paused and invited to, %s at %o", async (shade, viewport) => {
    for (const fid of [people.troll, 8]) await tab.scene.bot.net.seed.follow(fid, "memes");
    await tab.openSignedIn(shade, viewport);
    const page = tab.page();
    const dialog = page.getByRole("dialog");
    const close = async () => {
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    const card = page.getByRole("article", { name: "Channel memes" });
    await tab.goTo("Channels");
    await card.getByText("Not locked down, and rules are not paused.").waitFor();
    await tab.expectNoFaults();
    const lockdown = card.getByRole("form", { name: "Lock down" });
    await card.getByText("Lock down", { exact: true }).click();
    await lockdown.getByRole("combobox", { name: "How long" }).fill("2h");
    await lockdown.getByRole("combobox", { name: /^Reason/ }).fill("a raid");
    await tab.expectNoFaults();
    await lockdown.getByRole("button", { name: "Lock it down…" }).click();
    await dialog.getByText("Lock down /memes?").waitFor();
    await tab.expectNoFaults();
    await dialog.getByRole("button", { name: "Lock it down" }).click();
    await dialog.getByText("/memes is locked down until").waitFor();
    await close();
    const shown = /is locked down by @?Mona Moderator since .*, until .*\. It hid no cast\. Reason: a raid/;
    await expect.poll(() => card.textContent()).toMatch(shown);
    await tab.expectNoFaults();
    await tab.goTo("Rules");
    await page.getByText(shown).waitFor();
    await tab.goTo("Channels");
    await card.getByRole("button", { name: "End the lockdown" }).click();
    await dialog.getByText("/memes is no longer locked down.").waitFor();
    await close();
    await card.getByText("Pause the rules", { exact: true }).first().click();
    await card.getByRole("button", { name: "Pause the rules" }).click();
    await dialog.getByText("Rules are paused in /memes").waitFor();
    await close();
    await card.getByRole("button", { name: "Resume the rules" }).click();
    await dialog.getByText("Rules act in /memes again.").waitFor();
    await close();
    await card.getByText("Invite", { exact: true }).first().click();
    await card.getByText("Invites to /memes in the last hour: 0 of 100").waitFor();
    const whom = card.getByRole("combobox", { name: /^Users/ });
    await whom.fill(`${people.troll} 8`);
    await tab.expectNoFaults();
    await card.getByRole("button", { name: "Invite" }).click();
    await dialog.getByText("Invite 2 users to /memes?").waitFor();
    await dialog.getByText("100 of the 100 invites an hour are left").waitFor();
    await dialog.getByRole("button", { name: "Invite all of them" }).click();
    await dialog
      .getByText(/invited/)
      .first()
      .waitFor();
    await close();
    await card.getByText("Invites to /memes in the last hour: 2 of 100").waitFor();
  });

  it.each(shades)("has its decided reviews, which can be undone, %s at %o", async (shade, viewport) => {
    await tab.scene.hold();
    await tab.openSignedIn(shade, viewport);
    const page = tab.page();
    const review = page.getByRole("article", { name: "Review R-1" });
    await review.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Nothing is waiting for a decision.").waitFor();
    await page.getByRole("link", { name: "Decided" }).click();
    await review.getByText(/Dismissed: nothing was done, by/).waitFor();
    await tab.expectNoFaults();
    await review.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Nothing was decided yet.").waitFor();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await review.getByRole("button", { name: "Dismiss" }).waitFor();
    expect(tab.complaints()).toEqual([]);
  });
});

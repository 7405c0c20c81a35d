import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { browserPath, takesPictures } from "../support/browser.ts";
import { hostile, shades, useConsoleTab, type ConsoleTab } from "../support/console-tab.ts";

describe.runIf(browserPath)("the rules in the console", () => {
  const tab = useConsoleTab();
  let page: Page;

  async function openRules(...args: Parameters<ConsoleTab["openSignedIn"]>): Promise<void> {
    await tab.openSignedIn(...args);
    page = tab.page();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await tab.goTo("Rules");
  }
  const inForce = () => findRules(tab.scene.bot, tab.scene.discord.guildId);
  const dialog = () => page.getByRole("dialog");
  const editor = (name = "The rules") => page.getByRole("textbox", { name, exact: true });
  const picture = async (name: string) => {
    if (takesPictures) await page.screenshot({ path: `docs/pictures/${name}.png` });
  };

  it("are written by keys alone: offered, checked, put in force", async () => {
    await openRules();
    await page.getByRole("link", { name: "Write the first one." }).click();
    await editor().waitFor();
    await page.keyboard.press("e");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("vers");
    await page.getByRole("option", { name: "version" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("\nrul");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.type("\n- id: by-keys\non: ");
    await page.keyboard.press("Control+ ");
    await page.getByRole("option", { name: "cast.created" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("]\nwhen: {text: {contians: x}}\nthen: [{hide: {}}]");
    await page.getByText('unknown key "contians"; did you mean "contains"?').waitFor();
    expect(await tab.page().evaluate("document.activeElement.value")).toBe(
      "version: 1\nrules: \n  - id: by-keys\n    on: [cast.created]\n    when: {text: {contians: x}}\n    then: [{hide: {}}]",
    );
    await picture("console-rules");
    await tab.expectNoFaults();
    await editor().fill((await editor().inputValue()).replace("contians", "contains"));
    await page.getByText("No mistakes.").waitFor();
    await page.keyboard.press("Control+Enter");
    await dialog().getByText("Put these rules in force?").waitFor();
    await tab.expectNoFaults();
    await dialog().getByRole("button", { name: "Put in force" }).click();
    await dialog()
      .getByText(/Version 1 is in force/)
      .waitFor();
    await page.keyboard.press("Escape");
    expect((await inForce())?.ruleSet.rules.map(({ id }) => id)).toEqual(["by-keys"]);
    await page.getByRole("button", { name: "Discard my changes" }).waitFor({ state: "detached" });
  });

  it.each(shades)(
    "change their mode, show their versions, and come back, %s at %o",
    async (shade, viewport) => {
      await tab.scene.judge({ mode: "shadow", when: { text: { contains: hostile } } });
      await openRules(shade, viewport);
      await page.getByRole("combobox", { name: "Mode of scam" }).selectOption("off");
      await dialog().getByText("It is no longer evaluated.").waitFor();
      await tab.expectNoFaults();
      await dialog().getByRole("button", { name: "Change it" }).click();
      await dialog()
        .getByText(/Version 2 is in force/)
        .waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("combobox", { name: "Mode of scam" }).inputValue()).toBe("off");
      await tab.expectNoFaults();
      await page.getByRole("link", { name: "Edit scam" }).click();
      await editor("Rule scam").waitFor();
      expect(await editor("Rule scam").inputValue()).toContain("<script>");
      await page.getByText("No mistakes.").waitFor();
      await page.getByRole("button", { name: "Test on past events" }).click();
      await page.getByText("These rules, rehearsed on the past").waitFor();
      await tab.expectNoFaults();
      await page.getByRole("link", { name: "Versions", exact: true }).click();
      await page.getByRole("link", { name: "Version 1" }).click();
      await page.getByText("new: ").first().waitFor();
      await picture(viewport.width === 390 ? "console-versions-phone" : `console-versions-${shade}`);
      await tab.expectNoFaults();
      await page.getByRole("button", { name: "Bring version 1 back…" }).click();
      await dialog().getByRole("button", { name: "Bring it back" }).click();
      await dialog()
        .getByText(/Version 3 is in force/)
        .waitFor();
      expect((await inForce())?.ruleSet.rules[0]?.mode).toBe("shadow");
    },
  );

  it("keep what one typed while others change them, and say so", async () => {
    await tab.scene.judge({ mode: "shadow" });
    await openRules();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await editor().waitFor();
    const mine = (await editor().inputValue()).replace("airdrop", "mine");
    await editor().fill(mine);
    await page.getByRole("link", { name: "Health", exact: true }).click();
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await tab.scene.click(
      "owner",
      await tab.scene.run("owner", "rule mode", { rule: "scam", mode: "off" }),
      "Change it",
    );
    await tab.goTo("Rules");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    expect(await editor().inputValue()).toBe(mine);
    await page.getByRole("button", { name: "Keep my changes" }).click();
    await page.getByRole("button", { name: "Keep my changes" }).waitFor({ state: "detached" });
    await tab.expectNoFaults();
  });
});

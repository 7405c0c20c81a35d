// @ts-nocheck
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { browserPath, openBrowser, takesPictures } from "../support/browser.ts";
import { type InterfaceNetwork, startInterfaceNetwork } from "../support/interface-network.ts";

test.skipIf(browserPath)("there is no browser on this machine: the reference was not read in one", () => {
  expect(browserPath).toBeUndefined();
});

describe.runIf(browserPath)("the reference page in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  let network: InterfaceNetwork;
  beforeAll(async () => {
    browser = await openBrowser();
    network = await startInterfaceNetwork();
  });
  afterAll(async () => {
    await browser.close();
    await network.close();
  });

  it("tells of each endpoint what it takes, gives and refuses, and leads to the document", async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(`${network.url}/reference`);
    const ban = page.locator("[id='channelBans.ban']");
    await ban.locator("summary").click();
    expect(await ban.getByText("cannot_ban_moderator").isVisible()).toBe(true);
    expect(await ban.getByText('"banFid": 3621').isVisible()).toBe(true);
    expect(await page.locator("details").count()).toBeGreaterThan(40);
    if (takesPictures) {
      await ban.scrollIntoViewIfNeeded();
      await page.evaluate("window.scrollBy(0, 120)");
      await page.screenshot({ path: "docs/pictures/reference.png" });
    }
    await page.getByRole("link", { name: "openapi.json" }).click();
    await page.waitForURL(/openapi\.json$/);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

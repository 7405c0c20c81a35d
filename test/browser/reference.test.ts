import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { browserPath, takesPictures, useBrowser } from "../support/browser.ts";
import { serveNetwork, type ServedNetwork } from "../support/served-network.ts";
import { smallNetworkFile } from "../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../support/world.ts";

test.skipIf(browserPath)("there is no browser on this machine: the reference was not read in one", () => {
  expect(browserPath).toBeUndefined();
});

describe.runIf(browserPath)("the reference page in a browser", () => {
  const browser = useBrowser();
  let network: TestNetwork;
  let served: ServedNetwork;
  beforeAll(async () => {
    network = await createTestNetwork();
    await network.api.operator.importNetwork(smallNetworkFile());
    served = await serveNetwork(network);
  });
  afterAll(async () => {
    await served.server.close();
    await network.context.database.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}) {
    const opened = await browser.open({ viewport: { width: 1280, height: 900 }, ...options });
    await opened.page.goto(`${served.url}${path}`);
    return opened;
  }
  const heading = (page: Page) => page.getByRole("heading", { name: "Castellan's embedded network" });

  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)(
    "lists the calls and explains how to sign them, %i pixels wide, %s",
    async (width, colorScheme) => {
      const { page, complaints } = await open("/", { viewport: { width, height: 900 }, colorScheme });
      await heading(page).waitFor();
      await page.getByRole("heading", { name: "The bearer token" }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      if (takesPictures && width > 390) await page.screenshot({ path: "docs/pictures/reference.png" });
      expect(complaints).toEqual([]);
    },
  );

  it("opens the call of a link, with its refusals and this instance's address, and sends it", async () => {
    const { page, complaints } = await open("/reference#tag/channelbans/GET/fc/channel-bans");
    const call = page.locator("[id='api-1/tag/channelbans/GET/fc/channel-bans']");
    await call.getByText("invalid_cursor").first().waitFor();
    expect(await call.innerText()).toContain(`${served.url}/fc/channel-bans`);
    await call.getByRole("button", { name: "Test Request" }).click();
    const answer = page.waitForResponse(/fc\/channel-bans/);
    await page.getByRole("button", { name: /^Send/ }).first().click();
    expect((await answer).url()).toContain(`${served.url}/fc/channel-bans`);
    expect(complaints).toEqual([]);
  });

  it("alone allows inline styles; no page here allows other scripts than its own", async () => {
    const policyOf = async (url: string) =>
      String((await served.server.inject({ url })).headers["content-security-policy"]);
    expect(await policyOf("/reference")).toContain("style-src 'self' 'unsafe-inline';");
    expect(await policyOf("/signed-key-request")).toContain("style-src 'self';");
    for (const url of ["/reference", "/signed-key-request"])
      expect(await policyOf(url)).toContain("script-src 'self';");
  });
});

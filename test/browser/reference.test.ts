import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { findBarriers } from "../support/console-tab.ts";
import { browserPath, openBrowser, takesPictures } from "../support/browser.ts";
import { serveNetwork, type ServedNetwork } from "../support/served-network.ts";
import { smallNetworkFile } from "../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../support/world.ts";

test.skipIf(browserPath)("there is no browser on this machine: the reference was not read in one", () => {
  expect(browserPath).toBeUndefined();
});

describe.runIf(browserPath)("the reference page in a browser", { timeout: 60_000 }, () => {
  let browser: Browser;
  let network: TestNetwork;
  let served: ServedNetwork;
  beforeAll(async () => {
    browser = await openBrowser();
    network = await createTestNetwork();
    await network.api.operator.importNetwork(smallNetworkFile());
    served = await serveNetwork(network, {
      people: async () => [{ fid: 1, name: "alice", token: await served.token(1) }],
    });
  });
  afterAll(async () => {
    await browser.close();
    await served.server.close();
    await network.context.database.close();
  });

  /** The page, and what the browser complained of. */
  async function open(path: string, options: Parameters<Browser["newPage"]>[0] = {}) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, ...options });
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", ({ message }) => complaints.push(message));
    await page.goto(`${served.url}${path}`);
    return { page, complaints };
  }
  const callOf = (page: Page, id: string) => page.locator(`[id='${id}']`);

  it("tells of each endpoint what it takes, gives and refuses, and leads to the document", async () => {
    const { page, complaints } = await open("/");
    const ban = callOf(page, "channelBans.ban");
    await ban.locator("summary").click();
    expect(await ban.getByText("cannot_ban_moderator").isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    // How many lines a browser makes of it.
    const lines = await page.evaluate(`(() => {
      const cells = [...document.querySelectorAll("[id='channelBans.ban'] td")];
      const range = document.createRange();
      range.selectNodeContents(cells.find(({ textContent }) => textContent === "body"));
      return range.getClientRects().length;
    })()`);
    expect(lines).toBe(1);
    expect(await ban.getByText("required").count()).toBe(2);
    const [curl, typescript] = await ban.locator("pre").allTextContents();
    expect(curl).toContain(`curl -s -X POST '${served.url}/fc/channel-bans'`);
    expect(curl).toContain(`-d '{"channelId":"memes","banFid":3621}'`);
    expect(typescript).toContain(`network.channelBans.ban({ channelId: "memes", banFid: 3621 })`);
    expect(await page.locator(".endpoint").count()).toBeGreaterThan(40);
    if (takesPictures) {
      await ban.scrollIntoViewIfNeeded();
      await page.screenshot({ path: "docs/pictures/reference.png" });
    }
    // Not after the click: a browser looks for an icon beside a document that names none.
    expect(complaints).toEqual([]);
    const answer = page.waitForResponse(/openapi\.json$/);
    await page.getByRole("link", { name: "openapi.json" }).first().click();
    expect((await answer).status()).toBe(200);
    await page.close();
  });

  it("can be read without scripts", async () => {
    const { page } = await open("/reference#channelBans.ban", { javaScriptEnabled: false });
    await callOf(page, "channelBans.ban").locator("summary").click();
    expect(await callOf(page, "channelBans.ban").getByText("cannot_ban_moderator").isVisible()).toBe(true);
    expect(await page.getByLabel("Search").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
    await page.close();
  });

  it("is searched by name, path and refusal; a link to a call opens it", async () => {
    const { page, complaints } = await open("/reference#channelInvites.answer");
    expect(await callOf(page, "channelInvites.answer").getAttribute("open")).toBe("");
    await page.keyboard.press("/");
    await page.keyboard.type("cannot_ban_owner");
    const shown = page.locator(".endpoint:visible");
    expect(await shown.evaluateAll((found) => found.map(({ id }) => id))).toEqual(["channelBans.ban"]);
    expect(await page.locator("nav li a:visible").count()).toBe(1);
    await page.getByLabel("Search").fill("nothing has this");
    expect(await page.getByText("No call has all of these words.").isVisible()).toBe(true);
    await page.getByLabel("Search").fill("");
    expect(await shown.count()).toBeGreaterThan(40);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("tries calls: what is public, and what takes a token as one of the sandbox's people", async () => {
    const { page, complaints } = await open("/reference#channels.get");
    const get = callOf(page, "channels.get");
    await get.getByRole("button", { name: "Send" }).click();
    await get.locator("output").getByText('"id": "memes"').waitFor();
    const follow = callOf(page, "channelFollows.follow");
    await follow.locator("summary").click();
    await page.getByLabel("Act as").selectOption({ label: "alice (fid 1)" });
    await follow.getByRole("button", { name: "Send" }).click();
    await follow.locator("output").getByText('"success": true').waitFor();
    expect(await network.public.channelFollows.status({ fid: 1, channelId: "memes" })).toMatchObject({
      following: true,
    });
    // What is no number goes out as it was typed, to be refused in the network's own words.
    const ban = callOf(page, "channelBans.ban");
    await ban.locator("summary").click();
    await ban.getByLabel("banFid").fill("twelve");
    await ban.getByRole("button", { name: "Send" }).click();
    await ban.getByText("banFid: must be a number, not a text").waitFor();
    // The browser tells of each refused call.
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
    await page.close();
  });

  it.each([390, 1000])(
    "fits into %i pixels, dark and light, closed and open, and so does the guide",
    async (width) => {
      for (const colorScheme of ["dark", "light"] as const) {
        for (const path of ["/reference", "/reference/authentication"]) {
          const { page, complaints } = await open(path, { viewport: { width, height: 800 }, colorScheme });
          await page
            .locator(".endpoint")
            .evaluateAll((found) => found.forEach((each) => each.setAttribute("open", "")));
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          expect(complaints).toEqual([]);
          await page.close();
        }
      }
    },
  );

  it("no page of another origin gets a person's token, nor a name that only leads here, nor through a proxy", async () => {
    const ask = async (headers: Record<string, string>) =>
      (await served.server.inject({ url: "/reference/people", headers })).json<unknown[]>();
    expect(await ask({ host: "127.0.0.1:4680" })).toHaveLength(1);
    expect(await ask({ host: "localhost:4680", "sec-fetch-site": "same-origin" })).toHaveLength(1);
    expect(await ask({ host: "evil.example" })).toEqual([]);
    expect(await ask({ host: "127.0.0.1", origin: "https://evil.example" })).toEqual([]);
    expect(await ask({ host: "127.0.0.1", "sec-fetch-site": "cross-site" })).toEqual([]);
    expect(await ask({ host: "127.0.0.1", "x-forwarded-for": "203.0.113.9" })).toEqual([]);
    const far = await served.server.inject({
      url: "/reference/people",
      remoteAddress: "203.0.113.9",
      headers: { host: "127.0.0.1" },
    });
    expect(far.json()).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import type { Network } from "../../src/contract/index.ts";
import { browserPath, takesPictures, useBrowser } from "../support/browser.ts";
import { everyImpact, findBarriers } from "../support/console-tab.ts";
import { type InterfaceNetwork, people, startInterfaceNetwork } from "../support/interface-network.ts";
import { createKeyPair, custodyOf, signKeyRequest, type KeyPair } from "../support/signing.ts";
import { silentLog } from "../../src/log.ts";
import { clockOf } from "../support/world.ts";

test.skipIf(browserPath)("there is no browser on this machine: no key was approved in one", () => {
  expect(browserPath).toBeUndefined();
});

const user = people.owner;

describe.runIf(browserPath)("the approval page in a browser", () => {
  const browser = useBrowser();
  let network: InterfaceNetwork;
  let pair: KeyPair;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    network = await startInterfaceNetwork();
    const account = { fid: 50, custodyAddress: custodyOf(50).address, username: "gardeners-app" };
    await network.import({ accounts: [account] });
  });
  afterAll(async () => {
    await network.close();
  });

  beforeEach(async () => {
    pair = await createKeyPair();
    ({ page, complaints } = await browser.open({ viewport: { width: 1000, height: 860 } }));
  });
  afterEach(() => page.context().close());

  const as = (signer?: { fid: number; privateKey: Uint8Array }): Network => {
    const urls = { clientUrl: network.url, registryUrl: network.url, hubUrl: network.url };
    return createClient({ ...urls, clock: clockOf(() => network.now() * 1000), log: silentLog, signer });
  };

  /** A wallet as browsers have it, whose keys are the user's: asked by the page, signed here. */
  async function giveWallet(fid: number): Promise<void> {
    const account = custodyOf(fid);
    await page.exposeFunction("signForTheWallet", (typedData: string) =>
      // What the page hands its wallet is the network's typed data, as JSON.
      account.signTypedData(JSON.parse(typedData) as Parameters<typeof account.signTypedData>[0]),
    );
    await page.addInitScript(`window.ethereum = {
      request: async ({ method, params }) =>
        method === "eth_signTypedData_v4" ? window.signForTheWallet(params[1]) : ["${account.address}"],
    }`);
  }

  async function openRequest(redirectUrl?: string): Promise<string> {
    const deadline = network.now() + 24 * 3600;
    const request = await signKeyRequest({ key: pair.key, requestFid: 50, deadline });
    const { signedKeyRequest } = await as().signedKeyRequests.create({ ...request, redirectUrl });
    await page.goto(`${network.url}/signed-key-request?token=${signedKeyRequest.token}`);
    await page.getByText("Waiting for your answer.").waitFor();
    return signedKeyRequest.token;
  }

  it("shows who asks for what; approved by the wallet, the key bans with a token of its own", async () => {
    await giveWallet(user);
    const token = await openRequest("myapp://back");
    expect(await page.getByRole("heading").textContent()).toBe("Allow @gardeners-app to act for you?");
    expect(await findBarriers(page, everyImpact)).toEqual([]);
    expect(await page.getByText(pair.key).isVisible()).toBe(true);
    expect(await page.getByAltText("QR code of this request").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Approve with my wallet" }).click();
    await page.getByText("Approved. The network is registering the key").waitFor();
    await network.pass(10);
    await page.getByText("Done: the application can act for you.").waitFor();
    expect(await page.getByRole("link", { name: "Back to the application" }).getAttribute("href")).toBe(
      "myapp://back",
    );

    const { signedKeyRequest } = await as().signedKeyRequests.get({ token });
    expect(signedKeyRequest).toMatchObject({ state: "completed", userFid: user });
    const channelId = await network.channel();
    await as({ fid: user, privateKey: pair.privateKey }).channelBans.ban({
      channelId,
      banFid: people.stranger,
    });
    expect((await network.state(channelId)).banned).toEqual([people.stranger]);
    expect(complaints).toEqual([]);
  });

  it("refused by the wallet, the request is gone and the key signs nothing", async () => {
    await giveWallet(user);
    const token = await openRequest();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("Refused: the application cannot act for you.").waitFor();
    await expect(as().signedKeyRequests.get({ token })).rejects.toMatchObject({ code: "not_found" });
    const channelId = await network.channel();
    const ban = as({ fid: user, privateKey: pair.privateKey }).channelBans.ban({ channelId, banFid: 5 });
    await expect(ban).rejects.toMatchObject({ code: "invalid_auth_token" });
  });

  it("a wallet of nobody on this network is told so, and nothing has happened", async () => {
    await giveWallet(4242);
    const token = await openRequest();
    await page.getByRole("button", { name: "Approve with my wallet" }).click();
    await page.getByRole("alert").getByText("No user of this network has this wallet.").waitFor();
    const { signedKeyRequest } = await as().signedKeyRequests.get({ token });
    expect(signedKeyRequest.state).toBe("pending");
  });

  it("without a wallet it shows the way to one, and no button that could not work", async () => {
    await openRequest();
    await page.getByText("This browser has no wallet.").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Open in the app" }).getAttribute("href")).toMatch(
      /^castellan:\/\/signed-key-request\?token=0x/,
    );
    expect(complaints).toEqual([]);
  });

  it("a token that is none is said to be gone", async () => {
    await page.goto(`${network.url}/signed-key-request?token=0x${"ab".repeat(12)}`);
    await page.getByText("Request not found").waitFor();
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Nothing to allow"]);
    expect(await findBarriers(page, everyImpact)).toEqual([]);
  });

  it.runIf(takesPictures)("its picture", async () => {
    await giveWallet(user);
    await page.setViewportSize({ width: 620, height: 780 });
    await openRequest();
    await page.getByAltText("QR code of this request").waitFor();
    await page.screenshot({ path: "docs/pictures/approve-key.png" });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });
});

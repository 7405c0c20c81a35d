import { randomBytes } from "node:crypto";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import { silentLog } from "../../src/log.ts";
import {
  browserPath,
  openSandboxTab,
  takesPictures,
  useBrowser,
  type SandboxTab,
} from "../support/browser.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import { type DataDirectory, makeFilledDirectory, type Program, runProgram } from "../support/program.ts";

const channelId = "night-market";
const fids = { sam: 5, newcomer: 4242 };
const operatorToken = randomBytes(32).toString("hex");

/** Seconds: long enough to be seen while it holds, on a machine however busy. */
const banTime = 40;
const breakerMax = 3;

const rules = {
  version: 1,
  defaults: { mode: "enforce", exempt: ["owner", "moderators"] },
  rules: [
    {
      id: "scam-links",
      on: ["cast.created"],
      when: {
        all: [{ text: { matches: "(?i)claim.{0,20}airdrop" } }, { not: { "author.is_member": true } }],
      },
      then: [{ hide: {} }, { strike: { points: 1, ttl: "30d" } }],
      limits: { breaker: { max: breakerMax, per: "1h", then: "review" } },
    },
    {
      id: "repeat-offender",
      on: ["strike.added"],
      when: { "author.strikes": { gte: 2 } },
      then: [{ ban: { for: `${banTime}s`, reason: "Two strikes" } }],
    },
    {
      id: "impostor",
      on: ["username_proof.merged"],
      when: { name: { confusable_with: ["owner", "moderators"] } },
      then: [{ review: { queue: "names" } }],
    },
  ],
};

// One story: each test goes on where the one before it ended.
describe.runIf(browserPath)("rules in the sandbox", () => {
  const browser = useBrowser();
  let home: DataDirectory;
  let program: Program;
  let tab: SandboxTab;
  let network: Network;
  let operator: Operator;

  beforeAll(async () => {
    home = await makeFilledDirectory();
    program = runProgram(["start"], { DATA_DIR: home.directory, OPERATOR_TOKEN: operatorToken });
    const { sandbox, network: url } = await program.ready;
    const urls = { clientUrl: url, registryUrl: url, hubUrl: url };
    const options = { clock: systemClock, log: silentLog };
    network = createClient({ ...urls, ...options });
    operator = createOperatorClient({ ...options, url, token: operatorToken });
    tab = await openSandboxTab(browser, sandbox);
    await tab.enterRoom("market-feed");
  });

  afterAll(async () => {
    await program.end();
    await home.remove();
  });

  const become = async (name: string) => {
    await tab.be(name);
    // Everybody begins in a channel of their own.
    await tab.openChannel(channelId);
  };
  const castAs = async (name: string, text: string) => {
    await become(name);
    await tab.network.getByLabel("New cast").fill(text);
    await tab.network.getByRole("button", { name: "Cast", exact: true }).click();
    await shows(tab.cast(text));
  };
  const hidden = (text: string) => tab.cast(text).getByText("hidden", { exact: true });
  const picture = async (name: string) => {
    if (takesPictures) await tab.page.screenshot({ path: `docs/pictures/rules-${name}.png` });
  };

  it("the owner puts rules in force, after seeing what they change", async () => {
    await become("ada");
    await tab.type("rule import", { text: JSON.stringify(rules) });
    await tab.answerTo("rule import").getByRole("button", { name: "Put in force" }).click();
    await shows(tab.message("is in force: 3 enforce"));
  });

  it("a scam wave is hidden, and nothing else", async () => {
    await castAs("nia", "gm, fresh lanterns at my stall");
    await castAs("nia", "Claim the lantern airdrop today");
    await castAs("sam", "Claim your airdrop now");
    await castAs("sam", "Last chance to claim this airdrop");
    // Whoever is neither the author nor a moderator sees them no more.
    await tab.cast("lantern airdrop").waitFor({ state: "detached" });
    await become("ada");
    for (const text of ["lantern airdrop", "your airdrop", "Last chance"]) await shows(hidden(text));
    expect(await hidden("fresh lanterns").count()).toBe(0);
    const { result } = await network.moderatedCasts.list({ channelId });
    const hides = result.moderationActions.filter(({ action }) => action === "hide");
    expect(new Set(hides.map(({ castHash }) => castHash)).size).toBe(3);
  });

  it("a repeat offender is banned for a time, and comes back when it is over", async () => {
    await shows(tab.message(/banned[^]*Two strikes/));
    await shows(tab.list("Banned").getByText("sam (5)"));
    await picture("wave");
    const [ban] = (await network.channelBans.list({ channelId })).result.bannedUsers;
    expect(ban?.fid).toBe(fids.sam);
    await tab.list("Banned").getByText("sam (5)").waitFor({ state: "detached", timeout: 180_000 });
    // Its time runs from the rule's decision, which a busy machine carries out some seconds later.
    expect(Math.floor(Date.now() / 1000) - (ban?.bannedAt ?? 0)).toBeGreaterThanOrEqual(banTime / 2);
    await shows(tab.message("Ban over in Night Market"));
    expect((await network.channelBans.list({ channelId })).result.bannedUsers).toEqual([]);
    await castAs("sam", "Sorry about that. I am here for the lanterns");
    expect(await hidden("Sorry about that").count()).toBe(0);
    await picture("ban-ends");
  });

  it("a rule that acts too often trips its breaker, says so, and asks from then on", async () => {
    await castAs("nia", "Claim another airdrop, lanterns only");
    await shows(tab.message(`Rule scam-links acted too often`).getByText(`${breakerMax} times within`));
    const held = tab.message(/Review R-1 ·/);
    await shows(held.getByText("Claim another airdrop, lanterns only"));
    expect(await hidden("another airdrop").count()).toBe(0);
    await become("mo");
    await picture("breaker");
    await held.getByRole("button", { name: "Dismiss" }).click();
    await shows(tab.message(/Review R-1 ·[^]*Dismissed: nothing was done/));
    expect(await hidden("another airdrop").count()).toBe(0);
  });

  it("an impostor's name waits for a person, who bans by a button", async () => {
    const { address: custodyAddress } = custodyOf(fids.newcomer);
    await operator.importNetwork({ accounts: [{ fid: fids.newcomer, custodyAddress }] });
    const timestamp = Math.floor(Date.now() / 1000);
    // A zero looks like an o: the moderator's name is mo.
    await network.transfers.create(await signTransfer({ name: "m0", from: 0, to: fids.newcomer, timestamp }));
    const held = tab.message(/Review R-2 · names/);
    await shows(held.getByText("Open."));
    await become("mo");
    await picture("impostor");
    expect((await network.channelBans.list({ channelId })).result.bannedUsers).toEqual([]);
    await held.getByRole("button", { name: "Ban" }).click();
    await tab.message(`Ban from /${channelId}?`).getByRole("button", { name: "7 days" }).click();
    await shows(tab.message(/Review R-2 ·[^]*Banned by/));
    await shows(tab.list("Banned").getByText(`(${fids.newcomer})`));
    const { result } = await network.channelBans.list({ channelId });
    expect(result.bannedUsers).toMatchObject([{ fid: fids.newcomer }]);
  });

  it("/rule explain says why, condition by condition", async () => {
    await tab.type("rule explain", { cast: { type: "Last chance", choose: "Last chance" } });
    const answer = tab.answerTo("rule explain");
    await expect.poll(() => answer.innerText()).toMatch(/scam-links[^]*hide/);
    await picture("explain");
    // Each condition with what it found.
    expect(await answer.innerText()).toMatch(/text[^]*Last chance[^]*member/);
  });

  it("the browser complained of nothing", () => {
    expect(tab.complaints).toEqual([]);
  });
});

/** Waits until the page shows it, and fails when it does not. */
async function shows(what: Locator): Promise<void> {
  await what.waitFor();
  expect(await what.isVisible()).toBe(true);
}

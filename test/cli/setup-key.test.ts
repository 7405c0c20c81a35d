import { chmod, chown, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { publicKeyOf } from "../../src/start/doctor/check-key.ts";
import { botFid, printed, useSetupScene } from "./setup-scene.ts";

const slow = { timeout: 60_000 };
const scene = useSetupScene();

const privateKey = "5".repeat(64);
const unattended = (...options: string[]) =>
  scene.setUp([...scene.where(), ...scene.signing().filter((word) => word !== "--accept-cost"), ...options]);

/** What a run says that refuses and has asked for no key. */
async function refusalOf(running: ReturnType<typeof scene.setUp>): Promise<string> {
  expect(await running.exit).toBe(1);
  expect(scene.live.keys.requests).toHaveLength(0);
  return running.output();
}

describe("a new key", slow, () => {
  it.each([
    ["with its price", { price: 0.99, currency: "EUR" }, /it costs 0\.99 EUR in the app/],
    ["with no price where none is told", undefined, /costs money in the app\. The price is not known here/],
  ])("is asked for only where its cost is accepted, %s", async (_, offering, says) => {
    scene.live.keys.offering = offering;
    const running = unattended();
    const said = await refusalOf(running);
    expect(said).toMatch(says);
    expect(said).toContain("pass --accept-cost");
  });

  it("is refused in plain words where the account may add no more keys for now", async () => {
    scene.live.keys.limitReached = true;
    expect(await refusalOf(scene.setUp())).toMatch(
      /limits how many keys an account can add and revoke.*key_transaction_limit/,
    );
  });

  it("is not signed for by a phrase of another address than the account's", async () => {
    const wallet = Wallet.createRandom();
    const file = join(scene.home.directory, "wallet");
    await writeFile(file, `${wallet.mnemonic?.phrase ?? ""}\n`);
    const running = scene.setUp([...scene.where(), "--accept-cost", "--custody-key-file", file]);
    expect(await refusalOf(running)).toMatch(
      new RegExp(`belongs to the address ${wallet.address}, but the custody address of fid 9001`),
    );
    expect(running.output()).toContain("never the wallet's");
  });

  it("is approved by a link that is https, which is printed as it came", async () => {
    scene.live.keys.links = "https";
    const running = scene.setUp();
    scene.answer((await scene.requested(running)).token, "completed");
    expect(await running.exit, running.output()).toBe(0);
    expect(running.output()).toMatch(
      /^ {2}https:\/\/client\.farcaster\.xyz\/deeplinks\/signed-key-request\?token=0x/m,
    );
    expect(running.output()).not.toContain("farcaster://");
  });
});

describe("a key that there is", slow, () => {
  it.each([401, 403] as const)("is kept when /v2/me answers %i and a hub calls it active", async (status) => {
    scene.live.keys.sessionRefusal = status;
    await scene.setUpWhole();
    const before = await scene.settings();
    const again = unattended();
    expect(await again.exit, again.output()).toBe(0);
    expect(await scene.settings()).toBe(before);
    expect(scene.live.keys.requests).toHaveLength(1);
  });

  it("is taken from a file where a hub calls it active, and refused where none does", async () => {
    const file = join(scene.home.directory, "app-key");
    await writeFile(file, `0x${privateKey}\n`);
    expect(await refusalOf(scene.setUp([...scene.where(), "--app-key-file", file]))).toMatch(
      /is not among the keys of fid 9001/,
    );
    scene.live.keys.add(await publicKeyOf(Buffer.from(privateKey, "hex")), botFid);
    const running = scene.setUp([...scene.where(), "--app-key-file", file]);
    expect(await running.exit, running.output()).toBe(0);
    expect(scene.live.keys.requests).toHaveLength(0);
  });

  it("is replaced where a hub says that it was revoked, once the cost is accepted", async () => {
    await scene.setUpWhole();
    for (const key of Array.from(scene.live.keys.all.keys())) scene.live.keys.revoke(key);
    const asked = unattended();
    expect(await asked.exit).toBe(1);
    expect(asked.output()).toMatch(/was revoked[^]*pass --accept-cost/);
    const running = scene.setUp();
    await printed(running, "Waiting for the answer");
    scene.answer(scene.live.keys.requests.at(-1)?.token ?? "", "completed");
    expect(await running.exit, running.output()).toBe(0);
  });
});

describe("the secret that encrypts the key", slow, () => {
  const secretFile = () => `${scene.dataDirectory()}.secret`;

  it.each([
    ["can be read by others", 0o644],
    ["can be changed by others", 0o622],
  ])("is refused where it %s", async (says, mode) => {
    await writeFile(secretFile(), "words that somebody else knows, too\n");
    await chmod(secretFile(), mode);
    expect(await refusalOf(scene.setUp())).toMatch(
      new RegExp(`data\\.secret contains the secret .*, but ${says}`),
    );
  });

  it("gets another place where the usual one cannot be written", async () => {
    const file = join(scene.home.directory, "none", "secret");
    const running = scene.setUp([...scene.where(), ...scene.signing(), "--secret-file", file]);
    expect(await refusalOf(running)).toContain(
      `${file} cannot be written: there is no such file or directory. The secret that encrypts the bot's key belongs there`,
    );
  });

  it.runIf(process.getuid?.() === 0)("is refused where it belongs to somebody else", async () => {
    await writeFile(secretFile(), "words that somebody else knows, too\n", { mode: 0o600 });
    await chown(secretFile(), 65_534, 65_534);
    expect(await refusalOf(scene.setUp())).toMatch(/but belongs to another user \(uid 65534\)/);
    expect((await stat(secretFile())).uid).toBe(65_534);
  });
});

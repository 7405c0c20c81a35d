import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/start/doctor/finding.ts";
import { LiveChain, startLiveNode } from "../live/live-hub.ts";
import { botFid, key, useDoctorScene } from "./doctor-scene.ts";

const day = 86_400;
const scene = useDoctorScene();

describe("castellan doctor, of the bot's key", () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      "a key that the client API refuses",
      () => {
        scene.live.keys.all.clear();
        return scene.linkFollowed();
      },
      /^Key 0x.*: is refused by 127.*: Unknown app key$/,
    ],
    [
      "a key that is not among the fid's",
      () => scene.live.chain.signers.delete(botFid),
      /^Key .*: is not among the keys of fid 9001/,
    ],
    [
      "a key that was approved for another fid",
      () => (scene.live.chain.signers.clear(), scene.live.keys.all.clear(), scene.live.keys.add(key, 5)),
      /^Key .*: is not among the keys of fid 9001/,
    ],
    ["a key without scopes", () => scene.listKey({ scopes: [] }), /^Key .*: has no scopes/],
    ["a key whose scopes are left out", () => scene.listKey({}), /^Key .*: has no scopes/],
    [
      "an expired key",
      () => scene.listKey({ scopes: ["CAST_ADD"], expiresAt: Math.floor(Date.now() / 1000) - day }),
      /^Key .*: expired \d{4}-/,
    ],
    [
      "a key that ends soon",
      () => scene.listKey({ scopes: ["CAST_ADD"], expiresAt: Math.floor(Date.now() / 1000) + day }),
      /^Key .*: expires \d{4}-.* does not renew it\.$/,
    ],
  ])("says what is wrong with %s, and nothing else is", async (_, breakIt, says) => {
    await breakIt();
    const wrong = await scene.wrongOf();
    expect(wrong).toEqual([expect.stringMatching(says)]);
  });

  it("takes the largest number for a key without an end", async () => {
    scene.listKey({ scopes: ["CAST_ADD"], expiresAt: 2 ** 64 });
    expect(await scene.wrongOf()).toEqual([]);
    expect(ofKey(await scene.look())[0]?.message).toMatch(/without expiry$/);
  });

  const ofKey = (findings: Finding[]) => findings.filter(({ part }) => part.startsWith("Key"));

  it.each([401, 403] as const)("does not blame a key when /v2/me answers %i", async (status) => {
    scene.live.keys.sessionRefusal = status;
    expect(ofKey(await scene.look())).toMatchObject([
      { state: "ok", message: expect.stringMatching(/^active at 127.*, all scopes, without expiry$/) },
      {
        state: "unknown",
        message: expect.stringMatching(/is unknown whether .*: .* follows no linked channel yet/),
      },
    ]);
    await scene.linkFollowed();
    expect(ofKey(await scene.look()).map(({ state }) => state)).toEqual(["ok", "ok"]);
  });

  it("says nothing against a key when the client API forbids the trial", async () => {
    await scene.linkFollowed();
    scene.live.keys.powerless.add(key);
    expect(ofKey(await scene.look()).map(({ state }) => state)).toEqual(["ok", "unknown"]);
  });

  it("goes by the record of the bot's calls where the trial says nothing", async () => {
    await scene.linkFollowed();
    await scene.look();
    scene.live.client.channels.follow("memes", botFid, false);
    expect(ofKey(await scene.look())[1]).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/^acted as/),
    });
  });

  it("advises a new key only where a hub says that it is gone or ends", async () => {
    await scene.linkFollowed();
    scene.live.keys.all.clear();
    const refused = ofKey(await scene.look());
    expect(refused.map(({ state }) => state)).toEqual(["ok", "wrong"]);
    expect(refused[1]?.fix).not.toContain("key rotate");
    scene.live.chain.signers.clear();
    expect(ofKey(await scene.look())[0]?.fix).toContain("castellan key rotate");
  });

  it("takes a key for active that any hub calls active, also where others refuse, hang up or are behind", async () => {
    const [away, behind] = await Promise.all([
      startLiveNode(new LiveChain()),
      startLiveNode(new LiveChain()),
    ]);
    away.faults.http = { what: "status", status: 402 };
    const hubs = [away, behind, scene.live.hub].map(({ url }) => url).join(", ");
    expect(ofKey(await scene.look({ HUB_URL: hubs }))[0]).toMatchObject({ state: "ok" });
    away.faults.down = true;
    expect(ofKey(await scene.look({ HUB_URL: hubs }))[0]).toMatchObject({ state: "ok" });
    await Promise.all([away.close(), behind.close()]);
  });
});

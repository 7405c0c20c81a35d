import { mkdir, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/program.ts";
import { printed, token, useSetupScene } from "./setup-scene.ts";

const slow = { timeout: 60_000 };
const scene = useSetupScene();

describe("castellan key rotate", slow, () => {
  const keyOf = async () => /^BOT_APP_KEY=(.*)$/m.exec(await scene.settings())?.[1];

  it("makes a new key, uses the old one until the new one counts, and says how to revoke the old one", async () => {
    await scene.setUpWhole();
    const [old = ""] = scene.live.keys.all.keys();
    const before = await keyOf();
    const running = scene.rotate();
    const { token: request, key } = await scene.requested(running);
    expect(await keyOf()).toBe(before);
    scene.answer(request, "completed");
    expect(await running.exit, running.output()).toBe(0);
    expect(await keyOf()).not.toBe(before);
    expect(running.output()).toContain(`has the new key ${key}`);
    expect(running.output()).toContain(`Revoke the old key ${old}`);
    scene.live.keys.revoke(old);
    const doctor = runProgram(["doctor"], { DATA_DIR: scene.dataDirectory() });
    expect(await doctor.exit, doctor.output()).toBe(0);
  });

  it("that is refused leaves the old key in its place", async () => {
    await scene.setUpWhole();
    const before = await scene.settings();
    const running = scene.rotate();
    scene.answer((await scene.requested(running)).token, "denied");
    expect(await running.exit).toBe(1);
    expect(await scene.settings()).toBe(before);
  });

  it("killed while it waits, goes on with the same request", async () => {
    await scene.setUpWhole();
    const killed = runProgram(["key", "rotate", ...scene.signing()], { DATA_DIR: scene.dataDirectory() });
    const { token: request } = await scene.requested(killed);
    killed.child.kill("SIGKILL");
    await killed.exit;
    const again = scene.rotate();
    await printed(again, "Continuing with the previous run's request");
    scene.answer(request, "completed");
    expect(await again.exit, again.output()).toBe(0);
    expect(scene.live.keys.requests).toHaveLength(2);
  });

  it("killed between the approval and the settings, needs no second approval", async () => {
    await scene.setUpWhole();
    const running = scene.rotate();
    const { token: request, key } = await scene.requested(running);
    // The settings cannot be written just now: a directory stands in the place of their draft's target.
    const settings = await scene.settings();
    await rm(scene.settingsFile());
    await mkdir(scene.settingsFile());
    scene.answer(request, "completed");
    expect(await running.exit).toBe(1);
    // Whatever becomes of the request meanwhile, the key was approved.
    scene.answer(request, "denied");
    await rm(scene.settingsFile(), { recursive: true });
    await writeFile(scene.settingsFile(), settings, { mode: 0o600 });
    const again = scene.rotate();
    expect(await again.exit, again.output()).toBe(0);
    expect(again.output()).toContain(`has the new key ${key}`);
    expect(scene.live.keys.requests).toHaveLength(2);
  });

  it.each([
    ["with an embedded network", { NETWORK: "sample" }, "makes and registers the bot's key automatically"],
    [
      "with a key from the environment",
      {
        NETWORK: "live",
        BOT_FID: "9001",
        BOT_APP_KEY: "5".repeat(64),
        HUB_URL: "https://hub.example",
        DISCORD_TOKEN: token,
      },
      "BOT_APP_KEY comes from the environment",
    ],
  ])("%s says why it cannot", async (_, settings, says) => {
    const running = scene.rotate([], settings);
    expect(await running.exit).toBe(1);
    expect(running.output()).toContain(says);
  });
});

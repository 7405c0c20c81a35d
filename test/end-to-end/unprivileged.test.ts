import { chown } from "node:fs/promises";
import { expect, test } from "vitest";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createPageClient, textOf } from "../support/page-client.ts";
import { makeDataDirectory, runProgram } from "../support/program.ts";

const nobody = 65_534;
const ada = "700000000000000001";

// Only root may give itself what it likes, so root's tests are run as somebody else.
const uid = process.getuid?.() === 0 ? { uid: nobody } : {};

test("an ordinary user may start it behind all else (nice -n 10), rules and pictures included", async () => {
  const home = await makeDataDirectory();
  if (uid.uid !== undefined) await chown(home.directory, uid.uid, uid.uid);
  const program = runProgram(["start"], { DATA_DIR: home.directory }, undefined, { nice: 10, ...uid });
  try {
    const { network, sandbox } = await program.ready;
    const health = async () => (await fetch(`${network}/healthcheck`)).json();
    // While everything else is busy, its database may take its time.
    await expect.poll(health, { timeout: 300_000 }).toEqual({ result: { status: "ok" } });
    const page = createPageClient(sandbox, ada);
    await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
    await page.run("setup link", { channel: "garden" }, sandboxRooms.gardenFeed);
    expect(textOf(await page.run("rule starter", {}, sandboxRooms.gardenFeed))).not.toContain("went wrong");
    expect(textOf(await page.run("stats", {}, sandboxRooms.gardenFeed))).toContain("/garden");
    expect(await program.end()).toBe(0);
    // A warning would stand here: that a thread died, or that a picture could not be drawn. How long an end takes is up to others.
    const output = program.output().replace(/^.*did not close in time.*\n/m, "");
    expect(output).toMatch(/^castellan: creating a database.*\ncastellan ready: .*\n$/);
  } finally {
    program.child.kill("SIGKILL");
    await program.exit;
    await home.remove();
  }
  // Behind all else, a start takes as long as all else leaves it.
}, 900_000);

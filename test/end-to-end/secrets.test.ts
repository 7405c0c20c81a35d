import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createPageClient } from "../support/page-client.ts";
import { type DataDirectory, makeFilledDirectory, runProgram } from "../support/program.ts";

let home: DataDirectory;
beforeAll(async () => void (home = await makeFilledDirectory()));
afterAll(() => home.remove());

const ada = "700000000000000001";
const slow = { timeout: 240_000 };
const operatorToken = "an-operator-token-of-forty-characters-ok";

it("A whole run at trace prints no token, key or reason, also where things fail", slow, async () => {
  const program = runProgram(["start"], {
    DATA_DIR: home.directory,
    LOG_LEVEL: "trace",
    OPERATOR_TOKEN: operatorToken,
  });
  const { network, sandbox } = await program.ready;
  const page = createPageClient(sandbox, ada);
  const room = sandboxRooms.gardenFeed;
  await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
  await page.run("setup link", { channel: "garden" }, room);
  const reason = "SECRET reason of a moderator";
  const preview = await page.run(
    "ban",
    { user: "@brook", channel: "garden", reason, duration: "permanent" },
    room,
  );
  await page.click(preview, room);
  await page.run(
    "ban",
    { user: "@nobody-of-this-name", channel: "garden", reason, duration: "permanent" },
    room,
  );
  await page.run("ban", { user: "@brook", channel: "no-such-channel", reason, duration: "permanent" }, room);
  for (const token of [operatorToken, "SECRET.wrong.token-of-somebody"]) {
    await fetch(`${network}/operator/network`, { headers: { authorization: `Bearer ${token}` } });
  }
  await fetch(`${network}/signed-key-request?token=SECRETofakeyrequest`);
  await program.end();
  // Its own file, a flat object of texts.
  const keys = JSON.parse(await readFile(join(home.directory, "keys.json"), "utf8")) as Record<
    string,
    string
  >;
  const secrets = Object.values(keys).map((key) => key.replace(/^0x/, ""));
  for (const secret of [...secrets, operatorToken, "SECRET"]) expect(program.output()).not.toContain(secret);
  expect(program.output()).not.toMatch(/\/(?:webhooks|interactions)\/\d+\/(?!\*)/);
  expect(program.output()).toContain('"level":');
});

it("castellan sandbox never prints the token that was configured", slow, async () => {
  const token = "a-configured-token-of-a-real-bot";
  const settings = { DATA_DIR: join(home.directory, "sandbox"), DISCORD_TOKEN: token, LOG_LEVEL: "trace" };
  const program = runProgram(["sandbox"], settings);
  await new Promise<void>((resolve, reject) => {
    program.child.stdout?.on("data", () => program.output().includes("A bot joins") && resolve());
    void program.exit.then(() => reject(new Error(program.output())));
  });
  expect(program.output()).not.toContain(token);
  await program.end();
});

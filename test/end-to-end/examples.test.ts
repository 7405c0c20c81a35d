import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import { createAccount } from "../../src/sandbox/sample/accounts.ts";
import {
  makeFilledDirectory,
  readOperatorToken,
  runProgram,
  searchPath,
  type DataDirectory,
  type Program,
} from "../support/program.ts";

const folder = fileURLToPath(new URL("../../docs/examples/", import.meta.url));
/** What an example needs besides this project, and a machine may lack. */
const hasPython = (module: string) => spawnSync("python3", ["-c", `import ${module}`]).status === 0;
const openssl = spawnSync("openssl", ["version"]).stdout?.toString() ?? "";

const Accounts = z.array(z.object({ fid: z.number(), appKey: z.string(), custodyKey: z.string() }));

describe("the examples of docs/reference/authentication.md, in a sandbox", { timeout: 120_000 }, () => {
  let home: DataDirectory;
  let program: Program;
  let url: string;
  let accounts: z.output<typeof Accounts>;

  beforeAll(async () => {
    home = await makeFilledDirectory();
    program = runProgram(["start"], { DATA_DIR: home.directory });
    url = (await program.ready).network;
    accounts = Accounts.parse(
      JSON.parse(await readFile(join(home.directory, "sandbox-accounts.json"), "utf8")),
    );
  });
  afterAll(async () => {
    await program.end();
    await home.remove();
  });

  const accountOf = (fid: number) => {
    const account = accounts.find((one) => one.fid === fid);
    if (!account) throw new Error(`the sandbox has no fid ${fid}`);
    return account;
  };

  async function run(name: string, fid: number, more: Record<string, string> = {}): Promise<string> {
    const { appKey, custodyKey } = accountOf(fid);
    const env = {
      PATH: searchPath,
      CASTELLAN_URL: url,
      FID: String(fid),
      APP_KEY: appKey,
      CUSTODY_KEY: custodyKey,
      ...more,
    };
    const file = join(folder, name);
    const [command = "", ...words] = name.endsWith(".ts")
      ? [process.execPath, "--import", import.meta.resolve("tsx"), file]
      : [name.endsWith(".py") ? "python3" : "sh", file];
    const child = spawn(command, words, { env, cwd: fileURLToPath(new URL("../..", import.meta.url)) });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => (output += text.toString()));
    const [code] = await once(child, "close");
    expect([code, output]).toEqual([0, output]);
    return output;
  }

  const follows = async (fid: number) => {
    const answer = await fetch(`${url}/v1/user-channel?fid=${fid}&channelId=garden`);
    return z.object({ result: z.object({ following: z.boolean() }) }).parse(await answer.json()).result
      .following;
  };

  const callers: [string, number, boolean][] = [
    ["follow.ts", 1, true],
    ["token.ts", 2, true],
    ["token.py", 3, hasPython("cryptography")],
    ["token.sh", 5, openssl.startsWith("OpenSSL 3")],
  ];
  for (const [name, fid, isRun] of callers) {
    it.runIf(isRun)(`${name} calls as a user`, async () => {
      await unfollow(url, fid, accountOf(fid).appKey);
      expect(await follows(fid)).toBe(false);
      await run(name, fid);
      expect(await follows(fid)).toBe(true);
    });
  }

  it("name.ts registers a name", async () => {
    const fid = 90_001;
    accounts.push(await importAccount(url, home.directory, fid));
    await run("name.ts", fid, { NAME: "example-name" });
    const held = await (await fetch(`${url}/transfers/current?fid=${fid}`)).text();
    expect(held).toContain(`"username":"example-name"`);
  });

  it("key-request.ts gets a key that counts", async () => {
    const application = await importAccount(url, home.directory, 90_003);
    const output = await run("key-request.ts", 4, {
      APP_FID: "90003",
      APP_CUSTODY_KEY: application.custodyKey,
    });
    expect(output.trim().split("\n").at(-1)).toBe("completed");
  });

  it("all are in the reference's introduction, whole", async () => {
    const document = Document.parse(await (await fetch(`${url}/openapi.json`)).json());
    // These are for the bot's own API, whose tests run them.
    const others = ["moderate.py", "receive.py", "rules.workflow.yml"];
    const names = (await readdir(folder)).filter((name) => !others.includes(name));
    const run = [...callers.map(([name]) => name), "name.ts", "key-request.ts"];
    expect(names.toSorted()).toEqual(run.toSorted());
    for (const name of names) {
      expect(document.info.description).toContain(await readFile(join(folder, name), "utf8"));
    }
  });
});

const Document = z.object({ info: z.object({ description: z.string() }) });

async function unfollow(url: string, fid: number, privateKey: string): Promise<void> {
  const network = createClient({
    clientUrl: url,
    registryUrl: url,
    hubUrl: url,
    signer: { fid, privateKey },
  });
  await network.channelFollows.unfollow({ channelId: "garden" });
}

/** Somebody new, by the operator, with a wallet of their own. */
async function importAccount(url: string, directory: string, fid: number) {
  const account = await createAccount(fid, "");
  const operator = createOperatorClient({ url, token: await readOperatorToken(directory) });
  const { custodyAddress, appPublicKey } = account;
  await operator.importNetwork({ accounts: [{ fid, custodyAddress, appKeys: [appPublicKey] }] });
  return account;
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { smallNetworkFile } from "../support/seed.ts";
import { openPage } from "../support/page-client.ts";
import {
  type DataDirectory,
  fillDatabase,
  makeDataDirectory,
  makeFilledDirectory,
  type Program,
  readOperatorToken,
  runProgram,
} from "../support/program.ts";

describe("NETWORK_FILE", { timeout: 120_000 }, () => {
  let home: DataDirectory;
  let program: Program | undefined;
  let settings: Record<string, string>;

  beforeAll(async () => {
    home = await makeDataDirectory();
    const NETWORK_FILE = join(home.directory, "network.json");
    // With a byte order mark, as some editors write it.
    await writeFile(NETWORK_FILE, `\ufeff${JSON.stringify(smallNetworkFile())}`);
    settings = { DATA_DIR: join(home.directory, "data"), NETWORK_FILE, SANDBOX_TRAFFIC: "on" };
    await fillDatabase(join(home.directory, "data"));
  });

  afterAll(async () => {
    program?.child.kill("SIGKILL");
    await program?.exit;
    await home.remove();
  });

  const channelsOf = async (network: string) => {
    const all = z.object({ result: z.object({ channels: z.array(z.object({ id: z.string() })) }) });
    const { result } = all.parse(await (await fetch(`${network}/v2/all-channels`)).json());
    return result.channels.map(({ id }) => id);
  };

  it("takes the place of the sample network: its verified people and a stranger, and nothing acts on its own", async () => {
    program = runProgram(["start"], settings);
    const { network, sandbox } = await program.ready;
    expect(await channelsOf(network)).toEqual(["memes"]);
    const headers = { cookie: await openPage(sandbox), "content-type": "application/json" };
    expect(await (await fetch(`${sandbox}/network/people`, { headers })).json()).toEqual([
      { fid: 1, name: "alice", userId: "80351110224678912", acts: false },
      { fid: 5, name: "sam", userId: "700000000000000005", acts: false },
    ]);
    const events = async () => (await fetch(`${network}/v1/events?from_event_id=0`)).text();
    const before = await events();
    await sleep(4000);
    expect(await events()).toBe(before);
    const refused = await fetch(`${sandbox}/network/act`, {
      method: "POST",
      headers,
      body: JSON.stringify({ fid: 1, action: { do: "follow", channelId: "memes" } }),
    });
    expect(await refused.text()).toContain("The keys of alice are not known here");
  });

  it("is loaded once: what is gone since stays gone after a restart", async () => {
    const { network } = (await program?.ready) ?? { network: "" };
    const token = await readOperatorToken(join(home.directory, "data"));
    await fetch(`${network}/operator/channels/memes`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await channelsOf(network)).toEqual([]);
    await program?.end();
    program = runProgram(["start"], settings);
    expect(await channelsOf((await program.ready).network)).toEqual([]);
    expect(await program.end()).toBe(0);
  });

  it("in another encoding than UTF-8 ends the start, so that no wrong names are stored", async () => {
    const file = join(home.directory, "latin.json");
    await writeFile(file, Buffer.from(JSON.stringify({ ...smallNetworkFile(), note: "caf\xe9" }), "latin1"));
    const failing = runProgram(["start"], {
      ...settings,
      DATA_DIR: join(home.directory, "latin"),
      NETWORK_FILE: file,
    });
    expect(await failing.exit).toBe(1);
    expect(failing.output()).toContain("is not UTF-8");
  });

  it("with mistakes, ends the start and names each", async () => {
    const file = join(home.directory, "broken.json");
    const { channels, ...rest } = smallNetworkFile();
    const broken = {
      ...rest,
      channels: channels.map((channel) => ({ ...channel, leadFid: 404 })),
      chanels: [],
    };
    await writeFile(file, JSON.stringify(broken));
    const failing = runProgram(["start"], {
      ...settings,
      DATA_DIR: join(home.directory, "new"),
      NETWORK_FILE: file,
    });
    expect(await failing.exit).toBe(1);
    expect(failing.output()).toContain("/chanels");
    expect(failing.output()).toMatch(/\/channels\/0\/leadFid/);
  });
});

describe("castellan network import", { timeout: 120_000 }, () => {
  let home: DataDirectory;
  let program: Program;
  let settings: Record<string, string>;

  beforeAll(async () => {
    home = await makeFilledDirectory();
    settings = { DATA_DIR: home.directory, NETWORK: "empty" };
    program = runProgram(["api"], settings);
    const { port } = new URL((await program.ready).network);
    settings = { ...settings, PORT: port };
  });

  afterAll(async () => {
    await program.end();
    await home.remove();
  });

  async function importFile(text: string): Promise<[number, string[]]> {
    const file = join(home.directory, "people.json");
    await writeFile(file, text);
    const importing = runProgram(["network", "import", file], settings);
    return [await importing.exit, importing.output().replaceAll(file, "FILE").trimEnd().split("\n")];
  }

  it("names file, line and column of broken JSON", async () => {
    const [code, lines] = await importFile('{\n  "accounts": [\n    { "fid": 1, }\n  ]\n}\n');
    expect(code).toBe(1);
    expect(lines).toEqual([
      'castellan: FILE: The body is not valid JSON: line 3, column 17: a name in double quotes is expected here ("fid").',
    ]);
  });

  it("tells a mistake of 5,000 records once, and nothing of what follows from it", async () => {
    const fids = Array.from({ length: 5000 }, (_, index) => index + 1);
    const custodyAddress = `0x${"ab".repeat(20)}`;
    const accounts = fids.map((fid) => ({ fid, custodyAddress, username: `a-name-too-long-${fid}` }));
    const userFollows = fids.slice(1).map((fid) => ({ fid, targetFid: 1 }));
    const verifications = [
      { fid: 1, platform: "irc", platformId: "1", platformUsername: "a", verifiedAt: 1 },
    ];
    const [code, lines] = await importFile(JSON.stringify({ accounts, userFollows, verifications }));
    expect(code).toBe(1);
    const name = "must be 1 to 16 of a-z, 0-9 and -, not starting with -";
    expect(lines).toEqual([
      "castellan: FILE: The network file has 5,001 mistakes; nothing was imported.",
      `  /accounts/0/username ${name}`,
      `  /accounts/1/username ${name}`,
      `  /accounts/2/username ${name}`,
      "  /accounts/*/username and 4,997 more like these",
      '  /verifications/0/platform must be "x", "github" or "discord"',
    ]);
  });
});

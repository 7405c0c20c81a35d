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
    await writeFile(NETWORK_FILE, JSON.stringify(smallNetworkFile()));
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
    expect((await program.end()).code).toBe(0);
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

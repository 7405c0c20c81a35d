import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient } from "../../src/client/create-client.ts";
import type { Network } from "../../src/contract/index.ts";
import { secretOf } from "../support/signing.ts";
import { callControls, type ControlCalls } from "./live-controls.ts";

const file = fileURLToPath(new URL("serve.ts", import.meta.url));

/** The live network in a process of its own. */
export interface LiveProcess {
  controls: ControlCalls;
  urls: { client: string; registry: string; hub: string };
  /** The network as one of its people sees it, with a key of their own. */
  as(fid: number): Network;
  stop(): Promise<void>;
}

export async function startLiveProcess(): Promise<LiveProcess> {
  const child = fork(file, {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  if (!child.stdout) throw new Error("its output is a pipe");
  // The first line that it writes.
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { controls, ...urls } = JSON.parse(line) as LiveProcess["urls"] & { controls: string };
  return {
    controls: callControls(controls),
    urls,
    as: (fid: number) =>
      createClient({
        clientUrl: urls.client,
        registryUrl: urls.registry,
        hubUrl: urls.hub,
        signer: { fid, privateKey: secretOf(fid) },
      }),
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

import { afterAll, beforeEach } from "vitest";
import { createClient, type ClientOptions } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { startFarNetwork } from "../support/far-network.ts";

/** An Ed25519 seed. */
export const seed = new Uint8Array(32).fill(1);

/** A client of one origin that repeats without pauses worth noticing. */
export function createFarClient(
  url: string,
  options: Partial<ClientOptions> = {},
): ReturnType<typeof createClient> {
  return createClient({
    clientUrl: url,
    registryUrl: url,
    hubUrl: url,
    clock: systemClock,
    log: silentLog,
    random: () => 0,
    signer: { fid: 7, privateKey: seed },
    ...options,
  });
}

/** A network whose answers the tests of one file write, and a client of it. */
export async function useFarNetwork() {
  const far = await startFarNetwork();
  beforeEach(() => far.requests.splice(0));
  afterAll(() => far.close());
  return { far, network: createFarClient(far.url) };
}

import { createClient, type ClientOptions } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";

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

import { isThisMachine } from "../listening.ts";
import type { Witness } from "../observe/live/witnesses.ts";

/** How far a service is trusted. The operator's own is on this machine, or a hub that HUB_URL marks as own. */
export function describeWitness({
  address,
  own = false,
}: {
  address: string;
  own?: boolean | undefined;
}): Witness {
  const { hostname, protocol } = new URL(address);
  const isNear = isThisMachine(hostname);
  return { host: hostname, own: own || isNear, secure: isNear || protocol === "https:" };
}

import { getDomain } from "tldts";
import type { Network } from "../../contract/index.ts";

/** A service that reports the owner of a key or a custody address, and how far it is trusted. */
export interface Witness {
  host: string;
  /** It is the operator's own, so it needs no second source. */
  own: boolean;
  /** Its responses cannot be changed on the way. */
  secure: boolean;
}

export interface HubWitness extends Witness {
  hub: Network["hub"];
}

/** Services to ask about a person on a remote network. */
export interface Witnesses {
  /** The hubs in HUB_URL, each separately. */
  hubs: readonly HubWitness[];
  registry: Witness;
}

/** Whether these services prove something: one is the operator's own, or two are on different sites, one of them https. */
export function isEnough(witnesses: readonly Witness[]): boolean {
  if (witnesses.some(({ own }) => own)) return true;
  const sites = new Set(witnesses.map(({ host }) => getDomain(host, { allowPrivateDomains: true }) ?? host));
  return sites.size > 1 && witnesses.some(({ secure }) => secure);
}

/** "denied": no service confirms it. "unconfirmed": too few do. */
export type Verdict = "confirmed" | "denied" | "unconfirmed";

/** Asks all services. Throws the failure of one whose response would have made the difference. */
export async function askAll<Asked extends Witness>(
  witnesses: readonly Asked[],
  says: (witness: Asked) => Promise<boolean>,
): Promise<Verdict> {
  const answers = await Promise.allSettled(witnesses.map(says));
  const agreeing = witnesses.filter((_, index) => isYes(answers[index]));
  if (isEnough(agreeing)) return "confirmed";
  const silent = witnesses.filter((_, index) => answers[index]?.status === "rejected");
  const failure = answers.find((answer) => answer.status === "rejected");
  if (failure && isEnough([...agreeing, ...silent])) throw failure.reason;
  return agreeing.length > 0 ? "unconfirmed" : "denied";
}

function isYes(answer: PromiseSettledResult<boolean> | undefined): boolean {
  return answer?.status === "fulfilled" && answer.value;
}

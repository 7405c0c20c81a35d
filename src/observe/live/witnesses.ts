import { getDomain } from "tldts";
import type { Network } from "../../contract/index.ts";

/** A service that says whose a key or a custody address is, and how far it is believed. */
export interface Witness {
  host: string;
  /** It is the operator's own: what it says needs nobody else's word. */
  own: boolean;
  /** Nobody on the way can change what it says. */
  secure: boolean;
}

export interface HubWitness extends Witness {
  hub: Network["hub"];
}

/** Who can be asked about a person of a network that is elsewhere. */
export interface Witnesses {
  /** Those of HUB_URL, each by itself. */
  hubs: readonly HubWitness[];
  registry: Witness;
}

/** Whether what these say proves something: one is the operator's own, or two are of different sites, one of them over https. */
export function isEnough(witnesses: readonly Witness[]): boolean {
  if (witnesses.some(({ own }) => own)) return true;
  const sites = new Set(witnesses.map(({ host }) => getDomain(host, { allowPrivateDomains: true }) ?? host));
  return sites.size > 1 && witnesses.some(({ secure }) => secure);
}

/** "denied": nobody says so. "unconfirmed": too few do. */
export type Verdict = "confirmed" | "denied" | "unconfirmed";

/** Asks all of them whether something is so. Throws the failure of one that would have made the difference. */
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

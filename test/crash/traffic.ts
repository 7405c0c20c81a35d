import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/clock.ts";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import { silentLog } from "../../src/log.ts";
import { secretOf } from "../support/signing.ts";
import type { Ledger } from "./ledger.ts";
import type { Site } from "./site.ts";
import { answered, Unanswered } from "./unanswered.ts";

/** What everyone who acts works with. */
export interface Scene {
  site: Site;
  ledger: Ledger;
  random: () => number;
  as(fid?: number): Network;
  operator(): Operator;
}

/** Somebody who does one thing after the other; each call does the next. */
export type Person = () => Promise<void>;

export function openScene(site: Site, ledger: Ledger, random: () => number): Scene {
  const options = { clock: systemClock, log: silentLog };
  return {
    site,
    ledger,
    random,
    as(fid) {
      const url = site.network();
      const signer = fid === undefined ? undefined : { fid, privateKey: secretOf(fid) };
      return createClient({ ...options, clientUrl: url, registryUrl: url, hubUrl: url, signer });
    },
    operator: () => createOperatorClient({ ...options, url: site.network(), token: site.operatorToken }),
  };
}

/** Lets them all act until they are told to stop; stopping waits until each has been answered. */
export function startTraffic(scene: Scene, people: readonly Person[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const act = async (next: Person) => {
    while (!stopping.signal.aborted) {
      await sleep(100 + scene.random() * 400);
      try {
        await next();
      } catch (error) {
        if (error instanceof Unanswered) scene.ledger.unanswered += 1;
        else scene.ledger.surprises.push(String(error));
      }
    }
  };
  const all = people.map(act);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(all);
    },
  };
}

/** Asks again until there is an answer: for what is the same when it is done twice. */
export async function insist<T>(scene: Scene, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await answered(call);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      scene.ledger.unanswered += 1;
      await sleep(250);
    }
  }
}

export function pick<T>({ random }: Scene, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

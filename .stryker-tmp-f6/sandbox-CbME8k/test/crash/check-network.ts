// @ts-nocheck
import { asAppError } from "../../src/errors.ts";
import type { Evidence } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";
import type { Scene } from "./traffic.ts";
import { differences, type Verdict } from "./verdict.ts";

/** Every change that was answered is on the network. */
export async function checkNetwork(scene: Scene, evidence: Evidence): Promise<Verdict[]> {
  const { ledger } = scene;
  return [
    await checkNames(scene, ledger),
    await checkCasts(scene, ledger),
    {
      title: "every answered record made without Castellan is on the network, once",
      looked: [...ledger.records.values()].flat().length,
      faults: [...ledger.records].flatMap(([hash, made]) =>
        differences(
          made,
          evidence.records.flatMap(({ castHash, action }) => (castHash === hash ? [action] : [])),
        ).map((fault) => `${hash}: ${fault}`),
      ),
    },
    {
      title: "nobody was told what they should not be",
      looked: ledger.cases.length,
      faults: ledger.surprises,
    },
  ];
}

async function checkNames(scene: Scene, { names }: Ledger): Promise<Verdict> {
  const faults: string[] = [];
  for (const [name, owner] of names) {
    const holder = await readHolder(scene, name);
    if (holder !== owner) faults.push(`${name} was given to ${owner} and has ${holder}`);
  }
  return { title: "every answered name is the registry's", looked: names.size, faults };
}

/** The fid, 0 of a name that was given back, -1 of one that never was. */
async function readHolder(scene: Scene, name: string): Promise<number> {
  const { transfers } = await scene.as().transfers.list({ name });
  return transfers.at(-1)?.to ?? -1;
}

async function checkCasts(scene: Scene, { casts }: Ledger): Promise<Verdict> {
  const faults: string[] = [];
  for (const [hash, text] of casts) {
    const found = await scene
      .operator()
      .readCast({ hash })
      .catch((error: unknown) => {
        if (asAppError(error, "not_found")) return undefined;
        throw error;
      });
    if (found?.cast.text !== text) faults.push(`${hash} ${text}`);
  }
  return { title: "every answered cast is on the network", looked: casts.size, faults };
}

import { setTimeout as sleep } from "node:timers/promises";
import { signTransfer } from "../support/signing.ts";
import { answered } from "./unanswered.ts";
import { casts, channelId, outsiderFid, registrants, speakers } from "./town.ts";
import { insist, pick, type Person, type Scene } from "./traffic.ts";

const now = () => Math.floor(Date.now() / 1000);

/** Register a name and give it back. The same claim may be sent again: it is recorded once. */
export function nameOwners(scene: Scene): Person[] {
  return registrants.map((fid) => {
    let count = 0;
    return async () => {
      count += 1;
      const name = `n${fid}x${count}`;
      for (const to of [fid, 0]) {
        const claim = await signTransfer({ name, from: fid - to, to, timestamp: now() });
        await insist(scene, () => scene.as().transfers.create(claim));
        scene.ledger.names.set(name, to);
        // The next claim has to be of a later second.
        await sleep(1100 + scene.random() * 3000);
      }
    };
  });
}

/** Cast and reply. A cast without an answer is not repeated, for it would be another. */
export function talkers(scene: Scene): Person[] {
  let count = 0;
  const cast = async (place: { channelId: string } | { parentHash: string }) => {
    count += 1;
    const text = `talk ${count}`;
    const { hash } = await answered(() =>
      scene.operator().cast({ fid: pick(scene, speakers), text, ...place }),
    );
    scene.ledger.casts.set(hash, text);
  };
  return [
    () => cast({ channelId }),
    () => cast({ parentHash: pick(scene, [...scene.ledger.casts.keys(), casts.pins[0]?.hash ?? ""]) }),
  ];
}

/** Hides casts and shows them again, with the network's own app. Hiding what is hidden makes no record. */
export function outsider(scene: Scene): Person {
  return async () => {
    const { hash } = pick(scene, casts.outsider);
    const records = scene.ledger.records.get(hash) ?? [];
    const action = records.at(-1) === "hide" ? "unhide" : "hide";
    await insist(scene, () => scene.as(outsiderFid).moderatedCasts.moderate({ castHash: hash, action }));
    scene.ledger.records.set(hash, [...records, action]);
  };
}

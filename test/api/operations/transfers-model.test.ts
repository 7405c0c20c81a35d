import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createApi } from "../../../src/api/create-api.ts";
import { custodyOf, signTransfer, type TransferInput } from "../../support/signing.ts";
import { useTestContext } from "../../support/test-cases.ts";

const fids = [1, 2, 3];
const names = ["alice", "bob"];

const context = await useTestContext();
const api = createApi(context);

async function reset(): Promise<void> {
  await context.database.truncate();
  const accounts = fids.map((fid) => ({ fid, custody_address: custodyOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
}

const party = fc.constantFrom(0, ...fids);
const call = fc.record({ name: fc.constantFrom(...names), from: party, to: party, replay: fc.boolean() });

it("random transfers and replays leave every name with one fid, every fid with one name, and a stream that tells it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
      await reset();
      const holders = new Map<string, number>();
      let last: TransferInput | undefined;
      for (const { name, from, to, replay } of calls) {
        if (from === 0 && to === 0) continue;
        context.clock.advance(1);
        // A replay posts the last recorded claim with other parties.
        const input: TransferInput =
          replay && last && [from, to].includes(last.fid)
            ? { ...last, from, to }
            : await signTransfer({ name, from, to, timestamp: Math.floor(context.clock.now() / 1000) });
        const isReplay = input.signature === last?.signature;
        const isSame = isReplay && last?.from === from && last.to === to;
        const holds = holders.get(input.name) ?? 0;
        const named = [...holders].some(([other, fid]) => fid === to && other !== input.name);
        // A name registered anew for its holder, whose first answer may be lost, is answered with the transfer there is.
        const isRepeated = isSame || (!isReplay && from === 0 && holds === to);
        const allowed =
          isRepeated || (!isReplay && holds === from && from !== to && !named && isConsented(input));
        const answer = await api
          .network()
          .transfers.create(input)
          .then(
            () => true,
            () => false,
          );
        expect([input, answer]).toEqual([input, allowed]);
        if (!allowed || isRepeated) continue;
        if (to === 0) holders.delete(input.name);
        else holders.set(input.name, to);
        last = input;
      }
      await expectStream(holders);
    }),
    { numRuns: 15 },
  );
});

/** signTransfer lets the giver ask, so only a replayed claim could be one that the receiver asks for. */
function isConsented({ from, fid }: TransferInput): boolean {
  return from === 0 || from === fid;
}

/** Reading all proofs in order ends where the registry is; ids ascend without gaps. */
async function expectStream(holders: Map<string, number>): Promise<void> {
  const told = new Map<string, number>();
  for (const event of (await api.network().hub.events({})).events) {
    const { usernameProof, deletedUsernameProof } = event.mergeUsernameProofBody ?? {};
    expect(deletedUsernameProof?.fid).toBe(told.get(usernameProof?.name ?? ""));
    if (!usernameProof || usernameProof.fid === 0) told.delete(usernameProof?.name ?? "");
    else told.set(usernameProof.name, usernameProof.fid);
  }
  expect(told).toEqual(holders);
  const { transfers } = await api.network().transfers.list({});
  expect(transfers.map(({ id }) => id)).toEqual(transfers.map((_, index) => index + 1));
}

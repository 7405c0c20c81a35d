import { verifyTypedData } from "ethers";
import { expect, it } from "vitest";
import { ownNameDomain } from "../../src/contract/name-claim.ts";
import type { Transfer } from "../../src/contract/registry.ts";
import { useInterfaceNetwork } from "../support/interface-network.ts";
import { signTransfer, proofTypes } from "../support/signing.ts";

const writers = 6;
const changes = 4;

const network = await useInterfaceNetwork();

/** As the registry's followers out there: whatever comes after the last id that was seen. */
async function* follow(from: number): AsyncGenerator<Transfer> {
  for (let last = from; ;) {
    const { body } = await network.call("GET /transfers", { from_id: last });
    const { transfers } = body as { transfers: Transfer[] };
    for (const transfer of transfers) {
      last = transfer.id;
      yield transfer;
    }
  }
}

/** A name that is registered, given up, and registered again. */
async function keepChanging(fid: number, name: string): Promise<void> {
  const start = network.now() - changes;
  for (let change = 0; change < changes; change++) {
    const parties = change % 2 === 0 ? { from: 0, to: fid } : { from: fid, to: 0 };
    const body = await signTransfer({ name, ...parties, timestamp: start + change });
    const { status } = await network.call("POST /transfers", body);
    if (status !== 200) throw new Error(`${status} for change ${change} of ${name}`);
  }
}

it("A follower that polls from_id while names change hands misses nothing, and every server_signature is the registry's", async () => {
  const { body: current } = await network.call("GET /transfers/current");
  const { transfer } = current as { transfer?: Transfer };
  const { body } = await network.call("GET /signer");
  const { signer } = body as { signer: string };
  const names = (await network.newcomers(writers)).map((fid, index) => ({
    fid,
    name: network.own(`f${index}`),
  }));
  const writing = Promise.all(names.map(({ fid, name }) => keepChanging(fid, name)));

  const seen: Transfer[] = [];
  for await (const one of follow(transfer?.id ?? 0)) {
    if (names.some(({ name }) => name === one.username)) seen.push(one);
    if (seen.length === writers * changes) break;
  }
  await writing;

  const ids = seen.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  for (const { fid, name } of names) {
    const own = seen.filter(({ username }) => username === name).map(({ from, to }) => [from, to]);
    expect(own).toEqual([0, 1, 2, 3].map((change) => (change % 2 === 0 ? [0, fid] : [fid, 0])));
  }
  for (const { username, timestamp, owner, server_signature } of seen) {
    const claim = { name: username, timestamp, owner };
    expect(verifyTypedData(ownNameDomain, proofTypes, claim, server_signature)).toBe(signer);
  }
});

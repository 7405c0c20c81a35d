import { expect, it } from "vitest";
import { refused, useInterfaceNetwork } from "../support/interface-network.ts";

const early = { fid: 7, memberAt: 1_700_000_000_123 };
const late = { fid: 3, memberAt: 1_700_000_000_124 };

const network = await useInterfaceNetwork();
await network.import({ starterPacks: [{ id: "Pack 1", members: [early, late] }, { id: "empty" }] });

const read = (query: object) => network.call("GET /fc/starter-pack-members", query);

it("GET /fc/starter-pack-members: newest first, in milliseconds", async () => {
  expect(await read({ id: "Pack 1" })).toEqual({ status: 200, body: { result: { members: [late, early] } } });
});

it("a pack without members is empty, an unknown one 404, none 400", async () => {
  expect(await read({ id: "empty" })).toEqual({ status: 200, body: { result: { members: [] } } });
  expect(await read({ id: "pack 1" })).toEqual(refused(404, "not_found"));
  expect(await read({})).toEqual(refused(400, "invalid_request"));
  for (const id of ["", "a\0b", "a".repeat(257)]) {
    expect(await read({ id })).toEqual(refused(400, "invalid_request"));
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type InterfaceNetwork,
  recordsOf,
  refused,
  startInterfaceNetwork,
} from "../support/interface-network.ts";

let network: InterfaceNetwork;

const verification = (fid: number, platform: string, verifiedAt: number) => ({
  fid,
  platform,
  platformId: `80351110224678912${fid}`,
  platformUsername: `User_${fid}`,
  verifiedAt,
});
type Verification = ReturnType<typeof verification>;
let records: Record<"early" | "late" | "code" | "chat", Verification>;
let [one, two] = [0, 0];

beforeAll(async () => {
  network = await startInterfaceNetwork();
  [one = 0, two = 0] = await network.newcomers(2);
  const time = network.now() - 60;
  records = {
    early: verification(one, "x", time),
    late: verification(two, "x", time + 5),
    code: verification(one, "github", time + 1),
    chat: verification(one, "discord", time + 2),
  };
  const { early, late, code, chat } = records;
  await network.import({ verifications: [early, chat, late, code] });
});
afterAll(() => network.close());

const read = (query: object) => network.call("GET /fc/account-verifications", query);

describe("GET /fc/account-verifications", () => {
  it.each([
    ["platform x by default, newest first", {}, ["late", "early"]],
    ["platform x", { platform: "x" }, ["late", "early"]],
    ["platform github", { platform: "github" }, ["code"]],
    ["platform discord", { platform: "discord" }, ["chat"]],
  ] as const)("lists %s", async (_, query, expected) => {
    const ours = recordsOf(await read(query)).filter(({ fid }) => fid === one || fid === two);
    expect(ours).toEqual(expected.map((name) => records[name]));
  });

  it.each([
    ["a fid, on the default platform", () => ({ fid: one }), ["early"]],
    ["a fid and a platform", () => ({ fid: one, platform: "discord" }), ["chat"]],
    ["a fid that has none there", () => ({ fid: two, platform: "discord" }), []],
    ["an unknown fid", () => ({ fid: 999_999 }), []],
  ] as const)("lists %s", async (_, query, expected) => {
    expect(recordsOf(await read(query()))).toEqual(expected.map((name) => records[name]));
  });

  it("of a malformed fid is 400", async () => {
    for (const fid of ["0", "-1", "012", "x", "", "1.0", "12345678901234567"]) {
      expect(await read({ fid })).toEqual(refused(400, "invalid_request"));
    }
  });

  it("refuses a cursor that was made under another filter", async () => {
    const { body } = await read({ limit: 1 });
    const { cursor } = (body as { next: { cursor: string } }).next;
    expect(await read({ fid: one, cursor })).toEqual(refused(400, "invalid_cursor"));
    expect(await read({ platform: "github", cursor })).toEqual(refused(400, "invalid_cursor"));
    expect(await read({ limit: 1, cursor })).toMatchObject({ status: 200 });
  });

  it.each(["twitter", "X", "", "x,github"])("refuses platform %j", async (platform) => {
    expect(await read({ platform })).toEqual(refused(400, "invalid_request"));
  });
});

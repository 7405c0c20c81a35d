import { describe, expect, it } from "vitest";
import { cursorOf, recordsOf, refused, useInterfaceNetwork } from "../support/interface-network.ts";

const verification = (fid: number, platform: string, verifiedAt: number) => ({
  fid,
  platform,
  platformId: `80351110224678912${fid}`,
  platformUsername: `User_${fid}`,
  verifiedAt,
});

const network = await useInterfaceNetwork();
const [one = 0, two = 0] = await network.newcomers(2);
const time = network.now() - 60;
const early = verification(one, "x", time);
const late = verification(two, "x", time + 5);
const code = verification(one, "github", time + 1);
const chat = verification(one, "discord", time + 2);
await network.import({ verifications: [early, chat, late, code] });

const read = (query: object) => network.call("GET /fc/account-verifications", query);

describe("GET /fc/account-verifications", () => {
  it.each([
    ["platform x by default, newest first", {}, [late, early]],
    ["platform x", { platform: "x" }, [late, early]],
    ["platform github", { platform: "github" }, [code]],
    ["platform discord", { platform: "discord" }, [chat]],
  ] as const)("lists %s", async (_, query, expected) => {
    const ours = recordsOf(await read(query)).filter(({ fid }) => fid === one || fid === two);
    expect(ours).toEqual(expected);
  });

  it.each([
    ["a fid, on the default platform", { fid: one }, [early]],
    ["a fid and a platform", { fid: one, platform: "discord" }, [chat]],
    ["a fid that has none there", { fid: two, platform: "discord" }, []],
    ["an unknown fid", { fid: 999_999 }, []],
  ] as const)("lists %s", async (_, query, expected) => {
    expect(recordsOf(await read(query))).toEqual(expected);
  });

  it("of a malformed fid is 400", async () => {
    for (const fid of ["0", "-1", "012", "x", "", "1.0", "12345678901234567"]) {
      expect(await read({ fid })).toEqual(refused(400, "invalid_request"));
    }
  });

  it("refuses a cursor that was made under another filter", async () => {
    const cursor = cursorOf(await read({ limit: 1 }));
    expect(await read({ fid: one, cursor })).toEqual(refused(400, "invalid_cursor"));
    expect(await read({ platform: "github", cursor })).toEqual(refused(400, "invalid_cursor"));
    expect(await read({ limit: 1, cursor })).toMatchObject({ status: 200 });
  });

  it.each(["twitter", "X", "", "x,github"])("refuses platform %j", async (platform) => {
    expect(await read({ platform })).toEqual(refused(400, "invalid_request"));
  });
});

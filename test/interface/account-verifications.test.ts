import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  founded,
  type InterfaceNetwork,
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
const [early, late] = [verification(1, "x", founded), verification(2, "x", founded + 5)];
const code = verification(1, "github", founded + 1);
const chat = verification(1, "discord", founded + 2);

beforeAll(async () => {
  network = await startInterfaceNetwork();
  await network.import({ verifications: [early, chat, late, code] });
});
afterAll(() => network.close());

const read = (query: object) => network.call("GET /fc/account-verifications", query);
const answered = (...verifications: object[]) => ({ status: 200, body: { result: { verifications } } });

describe("GET /fc/account-verifications", () => {
  it.each([
    ["platform x by default, newest first", {}, [late, early]],
    ["platform x", { platform: "x" }, [late, early]],
    ["platform github", { platform: "github" }, [code]],
    ["platform discord", { platform: "discord" }, [chat]],
    ["a fid, on the default platform", { fid: 1 }, [early]],
    ["a fid and a platform", { fid: 1, platform: "discord" }, [chat]],
    ["a fid that has none there", { fid: 2, platform: "discord" }, []],
    ["an unknown fid", { fid: 999_999 }, []],
  ])("lists %s", async (_, query, expected) => {
    expect(await read(query)).toEqual(answered(...expected));
  });

  it.each(["twitter", "X", "", "x,github"])("refuses platform %j", async (platform) => {
    expect(await read({ platform })).toEqual(refused(400, "invalid_request"));
  });
});

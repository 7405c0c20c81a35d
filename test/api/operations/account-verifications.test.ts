import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
  const verifications = [
    [1, "x", 100],
    [1, "discord", 101],
    [2, "x", 102],
    [3, "x", 102],
    [4, "github", 103],
  ] as const;
  for (const [fid, platform, at] of verifications) {
    const row = { fid, platform, platform_id: `id${fid}`, platform_username: `user${fid}`, verified_at: at };
    await net.context.database.query.insertInto("network.verifications").values(row).execute();
  }
});
afterAll(() => net.context.database.close());

type Input = Parameters<typeof net.public.accountVerifications.list>[0];
const fids = async (input: Input) =>
  (await net.public.accountVerifications.list(input)).result.verifications.map(({ fid }) => fid);

it.each<[Input, number[]]>([
  [{}, [3, 2, 1]],
  [{ platform: "x", fid: 1 }, [1]],
  [{ platform: "discord" }, [1]],
  [{ platform: "github", fid: "4" }, [4]],
  [{ platform: "github", fid: 1 }, []],
  [{ fid: 77 }, []],
])("%o gives the verifications of %o, newest first, of x by default", async (input, expected) => {
  expect(await fids(input)).toEqual(expected);
});

it("carries every field", async () => {
  const page = await net.public.accountVerifications.list({ platform: "discord" });
  expect(page).toEqual({
    result: {
      verifications: [
        { fid: 1, platform: "discord", platformId: "id1", platformUsername: "user1", verifiedAt: 101 },
      ],
    },
  });
});

it("pages by a cursor of its own filter", async () => {
  const first = await net.public.accountVerifications.list({ limit: 2 });
  const cursor = first.next?.cursor ?? "";
  expect(await fids({ limit: 2, cursor })).toEqual([1]);
  await expect(fids({ platform: "github", cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
});

it("refuses another platform", async () => {
  await expect(fids({ platform: "myspace" as "x" })).rejects.toMatchObject({ code: "invalid_request" });
});

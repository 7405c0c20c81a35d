import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel } from "../../../src/contract/channels.ts";
import { contract } from "../../../src/contract/index.ts";
import { selectChannels } from "../../../src/api/store/channels.ts";
import { hasServer } from "../../support/services.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";
import { serveNetwork, type ServedNetwork } from "../../support/served-network.ts";

const { all } = contract.channels;
const owner = 1;

let network: TestNetwork;
let served: ServedNetwork;

beforeAll(async () => {
  network = await createTestNetwork();
  served = await serveNetwork(network);
  for (const id of ["a", "b"]) await network.seed.channel(id, { owner, members: [3] });
});
afterAll(async () => {
  await served.server.close();
  await network.context.database.close();
});

const parse = (text: string) => JSON.parse(text) as { result: { channels: Channel[] } };
const cached = async () => parse(String((await network.api.callCached(all, {}))?.bytes));
const fresh = async () => {
  const rows = await selectChannels(network.context.database.query)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return { result: { channels: rows.map(({ channel }) => channel) } };
};
const nameOf = async (id: string) =>
  (await cached()).result.channels.find((channel) => channel.id === id)?.name;
const get = (headers: Record<string, string> = {}) => fetch(`${served.url}${all.path}`, { headers });

let channels = 0;

/** What changes the answer, each by an operation of the network. */
const changes: Record<string, (n: TestNetwork) => Promise<unknown>> = {
  follow: (n) => n.as(7).channelFollows.follow({ channelId: "a" }),
  unfollow: (n) => n.as(7).channelFollows.unfollow({ channelId: "a" }),
  "invite a moderator": (n) =>
    n.as(owner).channelInvites.invite({ channelId: "a", inviteFid: 3, role: "moderator" }),
  "become a moderator": async (n) => {
    await n.as(owner).channelInvites.invite({ channelId: "a", inviteFid: 3, role: "moderator" });
    await n.as(3).channelInvites.answer({ channelId: "a", role: "moderator", accept: true });
  },
  "end a moderator": (n) =>
    n.as(owner).channelInvites.remove({ channelId: "a", removeFid: 3, role: "moderator" }),
  "found a channel": (n) =>
    n.seed.channel(`new-${++channels}`, { owner, createdAt: 1_500_000_000 + channels }),
  "delete a channel": (n) => n.api.operator.deleteChannel({ id: `new-${channels}` }),
  "found it again": (n) => n.seed.channel(`new-${channels}`, { owner: 9 }),
  "change nothing": async () => {},
};

describe("the answer of all-channels that is kept made", () => {
  it("is what the database says, whatever happened since", async () => {
    const names = fc.constantFrom(...Object.keys(changes));
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const step of steps) {
          // Not every change can be made at every time.
          await changes[step]?.(network).catch(() => {});
          expect(await cached()).toEqual(await fresh());
        }
      }),
      { numRuns: 30, seed: 4 },
    );
  });

  it("is shared by all who ask at once, and none of them gets what was before he asked", async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await network.as(100 + index).channelFollows.follow({ channelId: "b" });
        const { channels } = (await cached()).result;
        expect(channels.find(({ id }) => id === "b")?.followerCount).toBeGreaterThanOrEqual(1);
      }),
    );
    expect(await cached()).toEqual(await fresh());
  });

  it.runIf(hasServer)("finds what was committed after a younger change had been seen", async () => {
    const client = await network.context.database.pool.connect();
    await client.query("begin; update network.channels set name = 'late' where id = 'a'");
    await cached();
    await sql`update network.channels set name = 'early' where id = 'b'`.execute(
      network.context.database.query,
    );
    expect([await nameOf("a"), await nameOf("b")]).toEqual(["a", "early"]);
    await client.query("commit");
    client.release();
    expect([await nameOf("a"), await nameOf("b")]).toEqual(["late", "early"]);
  });
});

describe("its ETag", () => {
  it("answers 304 without a body until something changes", async () => {
    const first = await get();
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
    await first.text();
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`, "*"]) {
      const again = await get({ "if-none-match": known });
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
    }
    await network.as(8).channelFollows.follow({ channelId: "a" });
    const changed = await get({ "if-none-match": tag });
    expect([changed.status, changed.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(changed.headers.get("etag")).not.toBe(tag);
    expect(await changed.json()).toEqual(await fresh());
  });

  it("stays the same while nothing changes", async () => {
    const tags = [await get(), await get()].map(({ headers }) => headers.get("etag"));
    expect(tags[0]).toBe(tags[1]);
  });
});

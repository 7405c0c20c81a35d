import { afterAll, expect, it } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { serveNetwork } from "../../support/served-network.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const network = await useTestNetwork();
const served = await serveNetwork(network);
await network.seed.channel("a", { owner: 1 });
afterAll(() => served.server.close());

const get = (headers: Record<string, string> = {}) =>
  fetch(served.url + contract.channels.all.path, { headers });

it("answers 304 without a body until the channels change", async () => {
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
  expect(await changed.json()).toMatchObject({ result: { channels: [{ id: "a", followerCount: 1 }] } });
});

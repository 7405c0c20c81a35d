import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import type { HubEvent } from "../../src/contract/hub.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { createFarClient } from "../client/far-client.ts";
import { startFarNetwork } from "../support/far-network.ts";
import { useObserver } from "../support/scenes.ts";

const observer = await useObserver();
const far = await startFarNetwork();
afterAll(() => far.close());

const now = () => Math.floor(observer.context.clock.now() / 1000);
const proofOf = (name: string, change: object = {}) => ({
  usernameProof: {
    timestamp: now(),
    name,
    owner: "0x1",
    signature: "",
    fid: 5,
    type: "FNAME",
    ...change,
  },
});
const proof = (id: unknown, name: string, change: object = {}) => ({
  type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
  id,
  timestamp: now(),
  mergeUsernameProofBody: proofOf(name, change),
});

/** A hub that gives these events from a position on, through the real client. */
async function pollTwice(events: unknown[]): Promise<void> {
  const context = {
    ...observer.context,
    network: {
      ...observer.context.network,
      hub: createFarClient(far.url, { signer: undefined }).hub,
    },
  };
  for (let poll = 0; poll < 2; poll += 1) {
    const { position = 0 } =
      (await context.database.query
        .selectFrom("castellan.sources")
        .select("position")
        .where("source", "=", "hub/1")
        .executeTakeFirst()) ?? {};
    const idOf = (event: unknown) => (event as HubEvent | null)?.id;
    const from = events.findIndex((event) => idOf(event) === position);
    far.answer([200, { events: events.slice(Math.max(0, from)) }]);
    await pollHub(context);
  }
}

const names = async () => {
  const rows = await observer.context.database.query
    .selectFrom("castellan.names")
    .select("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
};

describe("one bad event between two good ones holds up nothing, is set aside and counted", () => {
  const bad: [string, () => unknown][] = [
    ["a name of 6,000 letters", () => proof(2, "x".repeat(6000))],
    [
      "a proof's time of half a second after a thousand years",
      () => proof(2, "bad", { timestamp: 1e11 + 0.5 }),
    ],
    ["a fid of 1e300", () => proof(2, "bad", { fid: 1e300 })],
    ["an event's time of 1e20", () => ({ ...proof(2, "bad"), timestamp: 1e20 })],
    ["no id", () => proof(undefined, "bad")],
    ["an id that is text", () => proof("2", "bad")],
    ["an id of 2^60", () => proof(2 ** 60, "bad")],
    ["an id of 2.5", () => proof(2.5, "bad")],
    ["null", () => null],
    ["no name", () => proof(2, "")],
    ["an owner of 6,000 letters", () => proof(2, "bad", { owner: "0".repeat(6000) })],
    ["a fid below zero", () => proof(2, "bad", { fid: -5 })],
    [
      "a cast of no hash",
      () => ({
        type: "HUB_EVENT_TYPE_MERGE_MESSAGE",
        id: 2,
        mergeMessageBody: {
          message: { hash: "x", data: { type: "MESSAGE_TYPE_CAST_ADD" } },
        },
      }),
    ],
  ];

  it.each(bad)("%s", async (_, make) => {
    await pollTwice([proof(1, "before"), make(), proof(3, "behind")]);
    expect(await names()).toEqual(["before", "behind"]);
    const { sources, setAside } = await observeStatus(observer.context);
    expect(sources).toMatchObject([{ source: "hub/1", skipped: 1, failingSinceMs: null }]);
    expect(setAside).toMatchObject({ count: 1, latest: expect.any(String) });
  });
});

it("A name with NUL and half a surrogate pair is stored without", async () => {
  await pollTwice([proof(1, "a\0b"), proof(2, "half \ud83d")]);
  expect(await names()).toEqual(["ab", "half \ufffd"]);
});

it("A time in the far future is not believed, so that nothing waits for it", async () => {
  await pollTwice([proof(1, "before"), { ...proof(2, "late"), timestamp: 9e15 }]);
  expect(await names()).toEqual(["before", "late"]);
  const { query } = observer.context.database;
  const [source] = await query.selectFrom("castellan.sources").selectAll().execute();
  expect(source?.newest_at ?? 0).toBeLessThanOrEqual(now());
});

it("What the database refuses of one event is set aside, and the others of its page are stored", async () => {
  const { query } = observer.context.database;
  await sql`alter table castellan.names add constraint hostile check (name <> 'hostile')`.execute(query);
  try {
    await pollTwice([proof(1, "before"), proof(2, "hostile"), proof(3, "behind")]);
  } finally {
    await sql`alter table castellan.names drop constraint hostile`.execute(query);
  }
  expect(await names()).toEqual(["before", "behind"]);
  const rows = await query.selectFrom("castellan.set_aside_events").selectAll().execute();
  expect(rows).toMatchObject([
    {
      source: "hub/1",
      event_id: 2,
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
      reason: expect.stringContaining("hostile"),
    },
  ]);
});

it("A page of nothing but events without an id is a failure that says so", async () => {
  await expect(pollTwice([{ type: "x" }, null])).rejects.toThrow("only events without a usable id (2)");
  expect((await observeStatus(observer.context)).sources[0]?.error).toContain("without a usable id");
});

it("The newest thousand that were set aside are kept", async () => {
  const many = Array.from({ length: 600 }, () => null);
  await pollTwice([...many, proof(1, "one")]);
  await pollTwice([proof(1, "one"), ...many, proof(2, "two")]);
  expect((await observeStatus(observer.context)).setAside.count).toBe(1000);
});

import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi, type Api } from "../../src/api/create-api.ts";
import type { Transfer } from "../../src/contract/registry.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";
import { useTestContext } from "../support/test-cases.ts";

const people = Array.from({ length: 12 }, (_, index) => index + 1);
const context = await useTestContext();
const api = createApi(context);
beforeEach(async () => {
  await context.database.truncate();
  const accounts = people.map((fid) => ({ fid, custody_address: custodyOf(fid).address }));
  await context.database.query.insertInto("network.accounts").values(accounts).execute();
});

const now = () => Math.floor(context.clock.now() / 1000);

const register = async (fid: number, by: Api = api) =>
  by
    .network()
    .transfers.create(await signTransfer({ name: nameOf(fid), from: 0, to: fid, timestamp: now() }));
const nameOf = (fid: number) => `name-${fid}`;

const listAll = async (): Promise<Transfer[]> => (await api.network().transfers.list({})).transfers;

/** Names as the hub told of them, in its order. */
async function readProofs(): Promise<string[]> {
  const events = await context.database.query
    .selectFrom("network.hub_events")
    .select("json")
    .orderBy("id")
    .execute();
  return events.map(({ json }) => JSON.parse(json).mergeUsernameProofBody.usernameProof.name);
}

/** The registry on a database whose answers take their time. */
function createSlowApi(): Api {
  const { database } = context;
  const query = database.query.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await sleep(20);
      return result;
    },
  });
  return createApi({ ...context, database: { ...database, query } });
}

describe("registrations asked at once", () => {
  it("have each their own transfer, event and name", async () => {
    const answers = await Promise.all(people.map((fid) => register(fid)));
    expect(answers.map(({ transfer }) => transfer.username)).toEqual(people.map(nameOf));
    const all = await listAll();
    expect(answers.map(({ transfer }) => transfer).toSorted((a, b) => a.id - b.id)).toEqual(all);
    expect(all.map(({ id }) => id)).toEqual(people);
    expect(await readProofs()).toEqual(all.map(({ username }) => username));
    const names = await context.database.query
      .selectFrom("network.names")
      .selectAll()
      .orderBy("fid")
      .execute();
    expect(names.map(({ name, fid }) => [name, fid])).toEqual(people.map((fid) => [nameOf(fid), fid]));
  });

  it("of two processes get ids without a gap, in one order with their events", async () => {
    const other = createApi({ ...context });
    await Promise.all(people.map((fid) => register(fid, fid % 2 === 0 ? api : other)));
    const all = await listAll();
    expect(all.map(({ id }) => id)).toEqual(people);
    expect(await readProofs()).toEqual(all.map(({ username }) => username));
  });

  it("are not one another's trouble: what the database refuses fails alone", async () => {
    const { pool } = context.database;
    const slow = createSlowApi();
    await pool.query(`create function public.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused here'; end $$`);
    await pool.query(`create trigger refuse before insert on network.transfers
      for each row when (new.username = '${nameOf(5)}') execute function public.refuse()`);
    try {
      const results = await Promise.allSettled(people.map((fid) => register(fid, slow)));
      const failed = results.flatMap(({ status }, index) => (status === "rejected" ? [people[index]] : []));
      expect(failed).toEqual([5]);
      expect(new Set((await listAll()).map(({ to }) => to))).toEqual(
        new Set(people.filter((fid) => fid !== 5)),
      );
    } finally {
      await pool.query("drop trigger refuse on network.transfers");
      await pool.query("drop function public.refuse");
    }
    expect((await register(5)).transfer.username).toBe(nameOf(5));
  });

  it("are each answered with the transfer that a lost answer told of", async () => {
    const timestamp = now();
    const claim = await signTransfer({ name: nameOf(1), from: 0, to: 1, timestamp });
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await api.network().transfers.create(claim)).transfer.id),
    );
    expect(answers).toEqual(Array.from({ length: 6 }, () => 1));
  });

  it("are decided by each other, where they concern the same name", async () => {
    await register(1);
    const slow = createSlowApi();
    const release = async (later: number) =>
      slow
        .network()
        .transfers.create(await signTransfer({ name: nameOf(1), from: 1, to: 0, timestamp: now() + later }));
    // The first is on its way while the others wait for their turns.
    const results = await Promise.allSettled([register(2, slow), release(1), release(2), release(3)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect((await listAll()).map(({ to }) => to)).toEqual(expect.arrayContaining([0, 1, 2]));
  });
});

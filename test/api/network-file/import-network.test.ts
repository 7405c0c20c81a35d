import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { importNetworkFileOnce } from "../../../src/api/network-file/import-network.ts";
import { asAppError } from "../../../src/errors.ts";
import { custodyOf, signTransfer } from "../../support/signing.ts";
import { castHash, smallNetworkFile } from "../../support/seed.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();
beforeEach(() => net.context.database.truncate());

type File = ReturnType<typeof smallNetworkFile>;
type Parts = { [K in keyof File]?: object[] | number[] };
const load = (file: Parts) => net.api.operator.importNetwork(file);
const now = () => Math.floor(net.context.clock.now() / 1000);

/** Every row of the network. */
async function dump(): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'network' order by 1
  `.execute(net.context.database.query);
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    const result = await sql<{ rows: unknown }>`
      select json_agg(t order by t::text) as rows from ${sql.table(`network.${name}`)} as t
    `.execute(net.context.database.query);
    rows[name] = result.rows[0]?.rows;
  }
  return rows;
}

describe("importing a network file", () => {
  it("creates every kind of record and counts them", async () => {
    const file = smallNetworkFile();
    const counts = Object.fromEntries(Object.entries(file).map(([kind, records]) => [kind, records.length]));
    const none = Object.fromEntries(Object.keys(file).map((kind) => [kind, 0]));
    expect(await load(file)).toEqual({ imported: counts, present: none });
    expect(await load(file)).toEqual({ imported: none, present: counts });
    const tables = await dump();
    const empty = Object.keys(tables).filter((name) => tables[name] === null);
    expect(empty.toSorted()).toEqual([
      "announcements",
      "bans",
      "blocks",
      "cast_removals",
      "imported_files",
      "invite_answers",
      "invite_calls",
      "invites",
      "moderation_records",
      "restrictions",
      "signed_key_requests",
    ]);
  });

  it("makes a channel with its founders, followers and pin", async () => {
    await load(smallNetworkFile());
    const { channel } = await net.public.channels.get({ channelId: "memes" });
    expect(channel).toEqual({
      id: "memes",
      url: "https://example.test/~/channel/memes",
      name: "Memes",
      description: "Only memes",
      descriptionMentions: [],
      descriptionMentionsPositions: [],
      imageUrl: "",
      leadFid: 1,
      moderatorFids: [2],
      createdAt: 1_690_000_000,
      followerCount: 1,
      memberCount: 3,
      publicCasting: false,
      externalLink: { title: "more", url: "https://example.test" },
      pinnedCastHash: castHash(1),
    });
    const { members } = (await net.public.channelMembers.list({ channelId: "memes" })).result;
    expect(members.map(({ fid, memberAt }) => `${fid} at ${memberAt}`).toSorted()).toEqual(
      [1, 2, 3].map((fid) => `${fid} at 1690000000`),
    );
    expect((await net.public.channelFollows.status({ fid: 3, channelId: "memes" })).followedAt).toBe(
      1_690_000_001,
    );
  });

  it("registers names by the registry itself, with their proofs, and casts as hub events, parents first", async () => {
    await load(smallNetworkFile());
    const { transfers } = await net.public.transfers.list({});
    expect(transfers).toMatchObject([
      { id: 1, username: "alice", from: 0, to: 1, user_signature: "0x", timestamp: now() },
      { id: 2, username: "bob", from: 0, to: 2, owner: custodyOf(2).address.toLowerCase() },
    ]);
    const { events } = await net.public.hub.events({});
    expect(events.map((event) => event.mergeUsernameProofBody?.usernameProof?.name)).toEqual([
      "alice",
      "bob",
      undefined,
      undefined,
    ]);
    expect(events[2]).toMatchObject({ mergeMessageBody: { message: { hash: castHash(1) } } });
    expect(events[3]).toMatchObject({
      mergeMessageBody: {
        message: {
          hash: castHash(2),
          data: { castAddBody: { parentCastId: { fid: 3, hash: castHash(1) } } },
        },
      },
    });
    expect(transfers[0]?.server_signature).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it("goes on where the streams stand", async () => {
    await load(smallNetworkFile());
    await load({ accounts: [{ fid: 9, custodyAddress: custodyOf(9).address, username: "carol" }] });
    expect((await net.public.transfers.current({ fid: 9 })).transfer.id).toBe(3);
    net.context.clock.advance(1);
    await net.as(9).transfers.create(await signTransfer({ name: "carol", from: 9, to: 0, timestamp: now() }));
    expect((await net.public.hub.events({})).events).toHaveLength(6);
  });
});

describe("importing again", () => {
  it("changes nothing of what exists, whatever the file says now", async () => {
    await load(smallNetworkFile());
    const before = await dump();
    const file = smallNetworkFile();
    const [account] = file.accounts;
    const [channel] = file.channels;
    const report = await load({
      ...file,
      accounts: [{ ...account, custodyAddress: custodyOf(5).address, creditBalance: 7, username: "other" }],
      channels: [
        {
          ...channel,
          name: "Other",
          url: "https://other.test",
          leadFid: 3,
          moderatorFids: [],
          memberFids: [],
        },
      ],
      channelFollows: [{ fid: 2, channelId: "memes" }],
      casts: [{ hash: castHash(1), fid: 2, text: "other" }],
      starterPacks: [{ id: "pack-1", members: [{ fid: 1, memberAt: 5 }] }],
    });
    expect(Object.values(report.imported)).toEqual(Object.keys(report.imported).map(() => 0));
    expect(await dump()).toEqual(before);
  });

  it("adds what is missing beside what exists", async () => {
    await load(smallNetworkFile());
    const report = await load({
      accounts: [
        { fid: 1, custodyAddress: custodyOf(1).address, appKeys: ["ab".repeat(32)] },
        { fid: 4, custodyAddress: custodyOf(4).address },
      ],
      casts: [{ hash: castHash(3), fid: 4, text: "re", parentHash: castHash(2) }],
    });
    expect(report).toEqual({ imported: { accounts: 1, casts: 1 }, present: { accounts: 1, casts: 0 } });
    expect(await net.api.operator.readCast({ hash: castHash(3) })).toMatchObject({
      channelId: "memes",
      cast: { timestamp: now() },
    });
    const keys = await net.context.database.query.selectFrom("network.app_keys").select("key").execute();
    expect(keys.map(({ key }) => key).toSorted()).toEqual([`0x${"a1".repeat(32)}`, `0x${"ab".repeat(32)}`]);
  });

  it("leaves a revoked key revoked and a name that was given away where it is", async () => {
    const file = smallNetworkFile();
    await load(file);
    await net.api.operator.revokeKey({ fid: 1, key: `0x${"a1".repeat(32)}` });
    net.context.clock.advance(1);
    await net.as(1).transfers.create(await signTransfer({ name: "alice", from: 1, to: 3, timestamp: now() }));
    const before = await dump();
    await load(file);
    expect(await dump()).toEqual(before);
  });

  it("leaves the name that a fid was given before it had an account", async () => {
    await load(smallNetworkFile());
    net.context.clock.advance(1);
    await net.as(1).transfers.create(await signTransfer({ name: "alice", from: 1, to: 4, timestamp: now() }));
    await load({ accounts: [{ fid: 4, custodyAddress: custodyOf(4).address, username: "carol" }] });
    expect((await net.public.transfers.current({ fid: 4 })).transfer.username).toBe("alice");
  });

  it("registers a released name for somebody new", async () => {
    await load(smallNetworkFile());
    await net
      .as(1)
      .transfers.create(await signTransfer({ name: "alice", from: 1, to: 0, timestamp: now() + 5 }));
    await load({ accounts: [{ fid: 4, custodyAddress: custodyOf(4).address, username: "alice" }] });
    expect((await net.public.transfers.current({ name: "alice" })).transfer).toMatchObject({
      to: 4,
      timestamp: now() + 6,
    });
  });

  it("marks casts that enter by what the channel says of their authors", async () => {
    await load(smallNetworkFile());
    await net.as(1).channelBans.ban({ channelId: "memes", banFid: 3 });
    await load({
      casts: [
        { hash: castHash(5), fid: 3, text: "reply of a banned user", parentHash: castHash(1) },
        { hash: castHash(6), fid: 3, text: "root of a non-member", channelId: "memes" },
        { hash: castHash(7), fid: 2, text: "root of a moderator", channelId: "memes" },
      ],
    });
    const read = async (hash: string) => {
      const { hiddenByBan, hiddenOnEntry } = await net.api.operator.readCast({ hash });
      return [hiddenByBan, hiddenOnEntry];
    };
    expect(await read(castHash(5))).toEqual([true, false]);
    expect(await read(castHash(6))).toEqual([false, true]);
    expect(await read(castHash(7))).toEqual([false, false]);
  });

  it("twice at once gives the same as once", async () => {
    const results = await Promise.allSettled([load(smallNetworkFile()), load(smallNetworkFile())]);
    // The one that comes second finds everything present, or a network that changed while it read.
    const refusals = results
      .filter((result) => result.status === "rejected")
      .map(({ reason }) => reason as unknown);
    expect(refusals.filter((reason) => !asAppError(reason, "not_ready"))).toEqual([]);
    expect((await net.public.hub.events({})).events).toHaveLength(4);
    const report = await load(smallNetworkFile());
    expect(Object.values(report.imported)).toEqual(Object.keys(report.imported).map(() => 0));
  });
});

describe("a file that is imported once", () => {
  it("is known by its text: the same again does nothing, even when what it made is gone", async () => {
    const text = JSON.stringify(smallNetworkFile());
    expect(await importNetworkFileOnce(net.context, text)).toMatchObject({ imported: { channels: 1 } });
    await net.api.operator.deleteChannel({ id: "memes" });
    expect(await importNetworkFileOnce(net.context, text)).toBeUndefined();
    expect((await net.public.channels.all({})).channels).toEqual([]);
    expect(await importNetworkFileOnce(net.context, `${text}\n`)).toMatchObject({
      imported: { channels: 1 },
    });
  });

  it("is imported once by processes that start at the same moment, and none of them fails", async () => {
    const text = JSON.stringify(smallNetworkFile());
    const reports = await Promise.all([1, 2, 3].map(() => importNetworkFileOnce(net.context, text)));
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
  });

  it.each(["{", "[]", "null", '"text"'])("is refused when it is %s, and not remembered", async (text) => {
    const refusal = { code: "invalid_file", mistakes: [{ path: "" }] };
    await expect(importNetworkFileOnce(net.context, text)).rejects.toMatchObject(refusal);
    await expect(importNetworkFileOnce(net.context, text)).rejects.toMatchObject(refusal);
  });
});

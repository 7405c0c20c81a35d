import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { recordSchemas } from "../../../src/api/network-file/records.ts";
import { smallNetworkFile } from "../../support/seed.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

type File = Record<string, unknown[]>;

const [one, other] = await Promise.all([createTestNetwork(), createTestNetwork()]);
await one.api.operator.importNetwork({ ...smallNetworkFile() });
afterAll(() => Promise.all([one.context.database.close(), other.context.database.close()]));

// The operator's export is a network file.
const exported = async ({ api }: TestNetwork) => (await api.operator.exportNetwork({})) as File;

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** Tables that no file carries, and the word for them in docs/operate/hosting.md; null for what only serves the process. */
const leftOut: Record<string, string | null> = {
  announcements: "announcements",
  bans: "bans",
  blocks: "blocks",
  cast_removals: "casts that were removed",
  hub_events: null,
  imported_files: null,
  invite_answers: "invites",
  invite_calls: null,
  invites: "invites",
  moderation_records: "hidden casts and the records of them",
  restrictions: "restrictions",
  signed_key_requests: "requests for keys",
  stream_heads: null,
  transfers: "transfers of names",
};

describe("exporting a network", () => {
  it("carries every table of the network, or docs/operate/hosting.md says that it does not", async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'network'
    `.execute(one.context.database.query);
    const statement = read("src/api/network-file/export-network.ts");
    const missing = rows.map(({ name }) => name).filter((name) => !statement.includes(`network.${name}`));
    expect(missing.toSorted()).toEqual(Object.keys(leftOut));
    const [, told = ""] =
      /It leaves out([^.]+)\./.exec(read("docs/operate/hosting.md").replaceAll(/\s+/g, " ")) ?? [];
    expect(Object.values(leftOut).filter((words) => words !== null && !told.includes(words))).toEqual([]);
  });

  it("gives what was imported, every kind of it", async () => {
    const file = await exported(one);
    const imported = smallNetworkFile();
    expect(Object.keys(file).toSorted()).toEqual(Object.keys(recordSchemas).toSorted());
    const sizes = (records: object) =>
      Object.entries(records).map(([kind, list]) => [kind, (list as unknown[]).length]);
    expect(Object.fromEntries(sizes(file))).toEqual(Object.fromEntries(sizes(imported)));
    expect(file["channels"]).toMatchObject(imported.channels);
    expect(file["creatorRewards"]).toMatchObject(imported.creatorRewards);
    expect(file["composerActions"]).toMatchObject(imported.composerActions);
  });

  it("is a file that makes the same network elsewhere, and changes nothing where it came from", async () => {
    const file = await exported(one);
    const { imported } = await other.api.operator.importNetwork(file);
    expect(imported).toMatchObject({ accounts: 3, channels: 1, casts: 2, starterPacks: 1 });
    expect(await exported(other)).toEqual(file);
    const again = await one.api.operator.importNetwork(file);
    expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
  });

  it("leaves out what was removed and revoked; a reply to it stands by itself in the channel", async () => {
    const [reply, root] = smallNetworkFile().casts;
    await one.api.operator.removeCast({ hash: root?.hash ?? "" });
    await one.api.operator.revokeKey({ fid: 1, key: `0x${"a1".repeat(32)}` });
    const file = await exported(one);
    expect(file["casts"]).toMatchObject([{ hash: reply?.hash, channelId: "memes" }]);
    expect(file["casts"]?.[0]).not.toHaveProperty("parentHash");
    expect(file["accounts"]?.[0]).toMatchObject({ fid: 1, username: "alice", appKeys: [] });
    expect(file["channels"]?.[0]).not.toHaveProperty("pinnedCastHash");
  });
});

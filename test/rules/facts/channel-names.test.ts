import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import { channelNames, type ChannelGroup } from "../../../src/rules/facts/channel-names.ts";
import { castCreated, loadFacts } from "../../support/rules.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2, 3] });
const { network } = engine.context;
const { database } = engine.network.context;

const down = () => Promise.reject(new AppError("network_unreachable", "it is down"));

/** Who holds which names, and why some may be missing. */
async function read(change: Partial<Network>, ...groups: ChannelGroup[]) {
  const context = createRuleContext(
    { ...engine.context, network: { ...network, ...change } },
    engine.context,
  );
  const needs = groups.map(channelNames);
  const [facts] = await loadFacts(context, [{ occurrence: castCreated("gm"), needs }]);
  return needs.map((need) => {
    const fact = facts?.read(need);
    if (!fact?.known) return fact?.why;
    const { holders, missing } = fact.value;
    return {
      fids: [...new Set([...holders.values()].flat())].toSorted((one, other) => one - other),
      missing,
    };
  });
}

const seen = (name: string, fid: number) =>
  database.query.insertInto("castellan.names").values({ name, fid, owner: "0x", since: 1 }).execute();

describe("names of the channel's people", () => {
  it("are kept apart by group", async () => {
    await seen("alice", 1);
    await seen("bob", 2);
    await seen("carl", 3);
    expect(await read({}, "owner", "moderators", "members")).toEqual([
      { fids: [1], missing: undefined },
      { fids: [2, 3], missing: undefined },
      { fids: [], missing: undefined },
    ]);
  });

  it("are asked for at the registry only where none was seen, and say what could not be read", async () => {
    await seen("bob", 2);
    const asked: unknown[] = [];
    const current: Network["transfers"]["current"] = ({ fid }) => {
      asked.push(fid);
      return down();
    };
    expect(await read({ transfers: { ...network.transfers, current } }, "moderators")).toEqual([
      { fids: [2], missing: "it is down" },
    ]);
    expect(asked).toEqual([3]);
  });

  it("are not known where nobody says who runs the channel", async () => {
    expect(await read({ channels: { ...network.channels, get: down } }, "owner")).toEqual(["it is down"]);
  });

  it("are none of an owner whom the channel does not have", async () => {
    const get: Network["channels"]["get"] = async (...given) => {
      const { channel } = await network.channels.get(...given);
      return { channel: { ...channel, leadFid: undefined } };
    };
    expect(await read({ channels: { ...network.channels, get } }, "owner")).toEqual([
      { fids: [], missing: undefined },
    ]);
  });

  it("of more than ten thousand members are those of the newest, and say so", async () => {
    const join = (from: number, to: number) =>
      sql`
        with joined as (
          insert into castellan.listing_entries (channel_id, listing, fid, at)
          select 'memes', 'members', n, n from generate_series(${from}::int, ${to}::int) as n returning fid
        ) insert into castellan.names (name, fid, owner, since) select 'n' || fid, fid, '0x', 1 from joined
      `.execute(database.query);
    await join(101, 10_099);
    const [few] = await read({}, "members");
    expect(few).toMatchObject({ missing: undefined });
    await join(10_100, 10_101);
    const [many] = await read({}, "members");
    expect(many).toMatchObject({ missing: "only the names of the 10000 newest members were checked" });
    expect([few, many].map((one) => typeof one === "object" && one.fids.includes(101))).toEqual([
      true,
      false,
    ]);
  });
});

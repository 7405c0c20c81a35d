import { describe, expect, it } from "vitest";
import {
  readPages,
  resultOf,
  type Answer,
  refused,
  useInterfaceNetwork,
} from "../support/interface-network.ts";
import { againstServer } from "../support/interface-server.ts";
import { titled } from "../support/test-cases.ts";

const day = 24 * 3600;
const week = 7 * day;
const firstMonday = Date.UTC(1970, 0, 5) / 1000;
/** The last Monday, 00:00 UTC, in UNIX seconds, whose week's end both refreshes have followed. */
let monday = 0;

const winner = (fid: number, rank: number) => ({ fid, rank, score: 12.5 / rank, rewardCents: 1000 / rank });
const creators = [{ ...winner(3, 1), username: "carol", walletAddress: "0xAbC" }, winner(2, 2), winner(5, 2)];
const apps = { domain: "app.test", frameName: "App" };
const developers = [
  { ...winner(3, 1), ...apps, walletAddress: "0xAbC" },
  { ...winner(2, 2), ...apps },
];

/** The three weeks that end with this Monday. */
const periods = (winners: object[]) =>
  [2, 1, 0].map((ago) => ({
    periodStartTimestamp: (monday - (ago + 1) * week) * 1000,
    periodEndTimestamp: (monday - ago * week) * 1000 - 1,
    winners: ago === 1 ? [] : winners,
  }));

const network = await useInterfaceNetwork();
const refreshed = network.now() - 2 * day - 17 * 3600;
monday = refreshed - ((refreshed - firstMonday) % week);
await network.import({
  creatorRewards: periods(creators.toReversed()),
  developerRewards: periods(developers.toReversed()),
});

/** Sets the network's clock. */
const at = (time: number) => network.pass(time - network.now());

const histories = [
  { who: "creator", weekday: 2, name: "Tuesday", winners: creators },
  { who: "developer", weekday: 3, name: "Wednesday", winners: developers },
];

const path = ({ who }: { who: string }) => `GET /v1/${who}-rewards-winner-history`;

describe.each(titled(histories, path))("%s", (_, { who, weekday, name, winners }) => {
  const refresh = () => monday + (weekday - 1) * day + 17 * 3600;
  const read = (query: object = {}) => network.call(path({ who }), query);
  const historyIn = (answer: Answer) => {
    const result = resultOf(answer);
    return (who === "creator" ? result["history"] : result) as Record<string, unknown>;
  };
  const historyOf = async (query: object = {}) => historyIn(await read(query));
  const period = (ago: number, expected: object[]) => ({
    periodStartTimestamp: (monday - (ago + 1) * week) * 1000,
    periodEndTimestamp: (monday - ago * week) * 1000 - 1,
    winners: expected,
  });

  it.skipIf(againstServer)(`a period comes out on the first ${name}, 17:00 UTC, after its end`, async () => {
    const now = network.now();
    await at(refresh() - 1);
    expect(await historyOf()).toEqual(period(1, []));
    await at(refresh());
    expect(await historyOf()).toEqual(period(0, winners));
    expect(await historyOf({ periodsAgo: 0 })).toEqual(period(0, winners));
    await at(now);
  });

  it("periodsAgo counts back from the newest that is out; one without winners is empty", async () => {
    expect(await historyOf({ periodsAgo: 1 })).toEqual(period(1, []));
    expect(await historyOf({ periodsAgo: 2 })).toEqual(period(2, winners));
  });

  it.skipIf(againstServer)("periodsAgo does not count one that is not out", async () => {
    const now = network.now();
    await at(refresh() - 1);
    expect(await historyOf({ periodsAgo: 1 })).toEqual(period(2, winners));
    await at(now);
  });

  it("before the first period there is none", async () => {
    expect(await read({ periodsAgo: 1000 })).toEqual(refused(404, "not_found"));
    expect(await read({ periodsAgo: 1e15 })).toEqual(refused(404, "not_found"));
  });

  it.each([-1, "1.5", "x", ""])("refuses periodsAgo %j", async (periodsAgo) => {
    expect(await read({ periodsAgo })).toEqual(refused(400, "invalid_request"));
  });

  it("winners are paged in rank order, ties by fid", async () => {
    const pages = await readPages(network, path({ who }), {}, 1);
    const seen = pages.flatMap((page) => historyIn(page)["winners"]);
    expect(seen).toEqual(winners);
  });
});

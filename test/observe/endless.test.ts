import { afterAll, beforeEach, expect, it } from "vitest";
import { eachChannel } from "../../src/observe/sources.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { createObserver } from "../support/observer.ts";

const observer = await createObserver();
afterAll(() => observer.context.database.close());
beforeEach(async () => {
  const { seed } = observer.network;
  await observer.context.database.truncate();
  await seed.account(1);
  for (const id of ["endless", "memes"]) {
    await seed.channel(id);
    await observer.link(id);
  }
  await pollHub(observer.context);
});

type Listed = { channelId?: string | undefined };
/** How the listings of the first channel go on: by page, from 1. */
const hostile: [string, (page: number) => { cursor: string; fid: number }][] = [
  ["two cursors in turn", (page) => ({ cursor: `c${page % 2}`, fid: page })],
  ["a circle of seven", (page) => ({ cursor: `c${page % 7}`, fid: page })],
  ["the same users with ever new cursors", (page) => ({ cursor: `c${page}`, fid: 5 })],
  ["ever new users", (page) => ({ cursor: `c${page}`, fid: page })],
];

it.each(hostile)("A listing without end (%s) fails its channel and no other", async (_, next) => {
  const { network } = observer.context;
  let calls = 0;
  const channelBans = {
    ...network.channelBans,
    async list(input: Listed) {
      if (input.channelId !== "endless") return network.channelBans.list({ channelId: "memes" });
      const { cursor, fid } = next((calls += 1));
      return {
        result: { bannedUsers: [{ fid, channelId: "endless", bannedAt: 1 }] },
        next: { cursor },
      };
    },
  };
  const moderatedCasts = {
    ...network.moderatedCasts,
    async list(input: Listed) {
      if (input.channelId !== "endless") return network.moderatedCasts.list({ channelId: "memes" });
      const { cursor, fid } = next((calls += 1));
      const castHash = `0x${String(fid).padStart(40, "0")}`;
      const record = {
        castHash,
        channelId: "endless",
        action: "hide" as const,
        moderatedAt: 2_000_000_000,
      };
      return { result: { moderationActions: [record] }, next: { cursor } };
    },
  };
  const context = {
    ...observer.context,
    network: { ...network, channelBans, moderatedCasts },
  };
  await eachChannel(pollListings)(context, { key: undefined });
  await eachChannel(pollRecords)(context, { key: undefined });
  expect(calls).toBeLessThanOrEqual(2000);
  const { sources } = await observeStatus(observer.context);
  const failing = sources.filter(({ error }) => error !== null);
  expect(failing.map(({ source }) => source).toSorted()).toEqual(["listings/endless", "records/endless"]);
  expect(failing[0]?.error).toContain("does not end");
  const good = sources.filter(({ silentMs }) => silentMs !== null).map(({ source }) => source);
  expect(good.toSorted()).toEqual(["hub/1", "listings/memes", "records/memes"]);
});

it("A channel whose name no database can store is read all the same", async () => {
  const { network } = observer.context;
  const channels = {
    ...network.channels,
    async get(input: { channelId: string }) {
      const { channel } = await network.channels.get(input);
      return {
        channel: { ...channel, name: "me\0mes \ud83d", description: "a\0b" },
      };
    },
  };
  await pollListings({ ...observer.context, network: { ...network, channels } }, "memes");
  const links = await observer.context.database.query.selectFrom("castellan.links").selectAll().execute();
  expect(links.map((link) => link.channel_name).toSorted()).toEqual(["endless", "memes \ufffd"]);
});

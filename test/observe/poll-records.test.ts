import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { BotContext } from "../../src/bot-context.ts";
import type { AppendEvents } from "../../src/observe/events.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { createObserver } from "../support/observer.ts";

let casts: string[];

const observer = await createObserver();
afterAll(() => observer.context.database.close());
beforeEach(start);

/** A linked channel with two casts that the index knows. */
async function start(): Promise<void> {
  await observer.context.database.truncate();
  const { seed, api } = observer.network;
  for (const fid of [1, 2]) await seed.account(fid);
  await seed.channel("memes");
  const cast = async () => (await api.operator.cast({ fid: 2, text: "gm", channelId: "memes" })).hash;
  casts = [await cast(), await cast()];
  observer.context.clock.advance(1);
}

async function link(): Promise<void> {
  await observer.link("memes");
  await pollHub(observer.context);
}

type Action = "hide" | "unhide";
const moderate = (cast: number, action: Action) =>
  observer.network.as(1).moderatedCasts.moderate({ castHash: casts[cast] ?? "", action });
const poll = (context: BotContext = observer.context) => pollRecords(context, "memes");
const told = async () =>
  (await observer.events()).map(({ kind, data }) => [
    kind,
    "castHash" in data && casts.indexOf(data.castHash ?? ""),
  ]);

/** The same network with pages of two records, and something that happens after each page. */
function withSmallPages(afterPage: () => Promise<void> = async () => {}, limit = 2): BotContext {
  const { network } = observer.context;
  const list: typeof network.moderatedCasts.list = async (input) => {
    const page = await network.moderatedCasts.list({ ...input, limit });
    await afterPage();
    return page;
  };
  return {
    ...observer.context,
    network: { ...network, moderatedCasts: { ...network.moderatedCasts, list } },
  };
}

const dying: AppendEvents = async () => {
  throw new Error("died here");
};

describe("moderation records", () => {
  test("from before the link are the baseline; what follows is told with the cast's author", async () => {
    await moderate(0, "hide");
    observer.context.clock.advance(10);
    await link();
    await poll();
    await moderate(0, "unhide");
    await poll();
    await poll();
    expect(await told()).toEqual([["record.unhidden", 0]]);
    expect(await observer.events()).toMatchObject([{ channelId: "memes", subjectFid: 2 }]);
  });

  test("made after the link but before the first look are news", async () => {
    await link();
    await moderate(0, "hide");
    await poll();
    expect(await told()).toEqual([["record.hidden", 0]]);
  });

  test("of one cast within one second are each told, also when looks fall between them", async () => {
    await link();
    await poll();
    await moderate(0, "hide");
    await moderate(0, "unhide");
    await poll();
    await moderate(0, "hide");
    await moderate(0, "unhide");
    await moderate(0, "hide");
    await poll();
    await poll();
    expect((await told()).map(([kind]) => kind)).toEqual([
      "record.hidden",
      "record.unhidden",
      "record.hidden",
      "record.unhidden",
      "record.hidden",
    ]);
  });

  test("that two workers read at once are stored once, so that the next one like them is not taken for known", async () => {
    await link();
    await poll();
    await moderate(0, "hide");
    await Promise.all([poll(), poll()]);
    await moderate(0, "unhide");
    await moderate(0, "hide");
    await poll();
    expect((await told()).map(([kind]) => kind)).toEqual([
      "record.hidden",
      "record.unhidden",
      "record.hidden",
    ]);
  });

  test("are as old as the look at them: what happened during it may not be in it", async () => {
    await link();
    await poll();
    const began = observer.context.clock.now();
    const { network } = observer.context;
    const slow = {
      ...network,
      moderatedCasts: {
        ...network.moderatedCasts,
        list: async (...input: Parameters<typeof network.moderatedCasts.list>) => {
          const listed = await network.moderatedCasts.list(...input);
          observer.context.clock.advance(15);
          return listed;
        },
      },
    };
    const look = () =>
      observer.context.database.query
        .selectFrom("castellan.sources")
        .select("succeeded_at_ms")
        .where("source", "=", "records/memes")
        .executeTakeFirst();
    await poll({ ...observer.context, network: slow });
    expect(await look()).toEqual({ succeeded_at_ms: began });
    await moderate(0, "hide");
    await poll({ ...observer.context, network: slow });
    expect(await look()).toEqual({ succeeded_at_ms: began + 15_000 });
  });

  test("are found though another is dated in the future", async () => {
    await link();
    await poll();
    const { network, clock } = observer.context;
    const moderatedAt = Math.floor(clock.now() / 1000) + 86_400;
    const wrong = { castHash: casts[0] ?? "", channelId: "memes", action: "hide", moderatedAt } as const;
    const list: typeof network.moderatedCasts.list = async (input) => {
      const { result, ...page } = await network.moderatedCasts.list(input);
      return { ...page, result: { moderationActions: [wrong, ...result.moderationActions] } };
    };
    const moderatedCasts = { ...network.moderatedCasts, list };
    const misled = { ...observer.context, network: { ...network, moderatedCasts } };
    await poll(misled);
    clock.advance(10);
    await moderate(1, "hide");
    await poll(misled);
    await poll(misled);
    expect(await told()).toEqual([
      ["record.hidden", 0],
      ["record.hidden", 1],
    ]);
  });

  test("that are added while pages are read are neither lost nor repeated", async () => {
    await link();
    await poll();
    for (const action of ["hide", "unhide", "hide", "unhide", "hide"] as const) await moderate(0, action);
    let additions = 2;
    const context = withSmallPages(async () => {
      if (additions > 0) await moderate(1, additions % 2 === 0 ? "hide" : "unhide");
      additions -= 1;
    });
    await poll(context);
    await poll(context);
    const hidden = [
      ["record.hidden", 0],
      ["record.unhidden", 0],
    ];
    expect(await told()).toEqual([
      ...hidden,
      ...hidden,
      hidden[0],
      ["record.hidden", 1],
      ["record.unhidden", 1],
    ]);
  });

  test("are told once each after a death in the middle of a long page", async () => {
    await link();
    await poll();
    const at = Math.floor(observer.context.clock.now() / 1000);
    const records = Array.from({ length: 600 }, (_, index) => ({
      channel_id: "memes",
      cast_hash: casts[0] ?? "",
      action: index % 2 === 0 ? ("hide" as const) : ("unhide" as const),
      moderated_at: at + Math.floor(index / 4),
    }));
    await observer.context.database.query.insertInto("network.moderation_records").values(records).execute();
    let calls = 0;
    const appendEvents: AppendEvents = (tx, events) => {
      calls += 1;
      return calls === 2 ? dying(tx, events) : observer.context.appendEvents(tx, events);
    };
    await expect(poll({ ...observer.context, appendEvents })).rejects.toThrow("died here");
    expect(await observer.events()).toHaveLength(500);
    await poll();
    const events = await observer.events();
    expect(events).toHaveLength(600);
    expect(
      events.every(({ kind }, index) => kind === (index % 2 ? "record.unhidden" : "record.hidden")),
    ).toBe(true);
  });

  test("show in the index, also of casts that enter it later", async () => {
    await observer.link("memes");
    await pollHub({ ...observer.context, network: withoutCasts() });
    await moderate(0, "hide");
    await poll();
    await pollHub(observer.context);
    await moderate(1, "hide");
    await poll();
    const index = await observer.context.database.query
      .selectFrom("castellan.casts")
      .select(["hash", "hidden"])
      .execute();
    expect(new Map(index.map((row) => [row.hash, row.hidden]))).toEqual(
      new Map(casts.map((hash) => [hash, true])),
    );
  });

  test("begin anew when the channel is linked again: what happened between is no news", async () => {
    await link();
    await moderate(0, "hide");
    await poll();
    await observer.unlink("memes");
    await pollHub(observer.context);
    observer.context.clock.advance(10);
    await moderate(0, "unhide");
    await poll();
    observer.context.clock.advance(10);
    await link();
    await poll();
    await moderate(1, "hide");
    await poll();
    expect(await told()).toEqual([
      ["record.hidden", 0],
      ["record.hidden", 1],
    ]);
  });

  test("are each told once and in order, whatever looks, deaths and writers do", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant("toggle" as const), cast: fc.nat(1) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("tick" as const), by: fc.constantFrom(1, 2, 7) }) },
      { weight: 2, arbitrary: fc.constant({ do: "poll" as const }) },
      { weight: 1, arbitrary: fc.constant({ do: "race" as const }) },
      { weight: 1, arbitrary: fc.constant({ do: "die" as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await start();
        await link();
        const expected: [string, number][] = [];
        const hidden = [false, false];
        const toggle = async (cast: number) => {
          hidden[cast] = !hidden[cast];
          await moderate(cast, hidden[cast] ? "hide" : "unhide");
          expected.push([hidden[cast] ? "record.hidden" : "record.unhidden", cast]);
        };
        // Of one second there are four different records: three pages of nothing else would be taken for a list without end.
        const small = withSmallPages(undefined, 10);
        for (const next of steps) {
          if (next.do === "toggle") await toggle(next.cast);
          if (next.do === "tick") observer.context.clock.advance(next.by);
          if (next.do === "poll") await poll(small);
          if (next.do === "race") await Promise.all([poll(small), toggle(0).then(() => poll()), poll(small)]);
          if (next.do === "die") await poll({ ...small, appendEvents: dying }).catch(() => {});
        }
        await poll();
        expect(await told()).toEqual(expected);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});

function withoutCasts(): BotContext["network"] {
  const { network } = observer.context;
  return { ...network, hub: { ...network.hub, events: async () => ({ events: [] }) } };
}

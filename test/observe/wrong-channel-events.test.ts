import { beforeEach, expect, test } from "vitest";
import { useLiveClient } from "../live/live-client-scene.ts";

const scene = useLiveClient(50);
const hash = (digit: string) => `0x${digit.repeat(40)}`;

beforeEach(async () => {
  scene.client.channels.cast("memes", hash("a"), 7);
  await scene.link("memes");
  await scene.live(20);
});

test("an event from the future, and one that no column can hold, hide no later one", async () => {
  const { events } = scene.client.channels;
  const hidden = { channelId: "memes", type: "cast-hidden", castHash: hash("a"), castFid: 7 };
  const now = scene.context.clock.now();
  events.unshift({ ...hidden, eventId: "tomorrow", ts: now + 86_400_000 });
  events.unshift({ ...hidden, eventId: "never", ts: 1e18 });
  events.unshift({ ...hidden, eventId: "x".repeat(10_000), ts: now });
  await scene.live(10);
  scene.client.channels.setStanding("memes", 8, "banned");
  await scene.live(10);
  expect(await scene.told()).toEqual(["record.hidden 7", "user.banned 8"]);
  const happened = scene.context.database.query.selectFrom("castellan.events").select("occurred_at");
  for (const { occurred_at } of await happened.execute())
    expect(occurred_at).toBeLessThanOrEqual(scene.context.clock.now() / 1000);
});

test("the last event is told once, however long ago it was", async () => {
  scene.client.channels.moderate(hash("a"), "hide");
  await scene.live(10);
  scene.context.clock.advance(90_000);
  await scene.live(20);
  const records = scene.context.database.query.selectFrom("castellan.records").select("id");
  expect(await records.execute()).toHaveLength(1);
});

test("where there are no events any more, the newest entries are read, and not all channels again and again", async () => {
  scene.client.channels.setStanding("memes", 7, "banned");
  await scene.live(10);
  scene.client.requests.length = 0;
  const loseEvents = () => scene.client.channels.events.splice(0);
  await scene.live(120, loseEvents);
  scene.client.channels.setStanding("memes", 8, "banned");
  await scene.live(30, loseEvents);
  expect(await scene.told()).toEqual(["user.banned 7", "user.banned 8"]);
  const whole = scene.client.requests.filter(({ route }) => route === "GET /v1/channel");
  expect(whole.length).toBeLessThanOrEqual(5);
});

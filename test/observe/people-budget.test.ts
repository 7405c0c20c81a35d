import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../src/bot-context.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { explainUnlinked } from "../../src/moderation/channel-links.ts";
import { findAppellant } from "../../src/moderation/own-channels.ts";
import { hasKnownRights } from "../../src/moderation/known-rights.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { onBehalf } from "../../src/discord/command-context.ts";
import { useLiveClient } from "../live/live-client-scene.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { request } from "../../src/outbox/request.ts";
import { createStrictRooms } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { guild } from "../support/observer.ts";
import { people } from "../support/world.ts";

const verifications = "GET /fc/account-verifications";
const scene = useLiveClient(0);

const person = (userId: string, change: Partial<Actor> = {}): Actor => ({
  userId,
  guildId: guild,
  roomId: "1",
  roleIds: [],
  managesServer: false,
  ...change,
});
const stranger = person("500");
const moderator = person("600", { roleIds: ["77"] });

/** What a command of this person works with. */
const contextOf = (actor: Actor) => onBehalf(scene.context, actor);

const asked = (route: string) => scene.client.requests.filter((request) => request.route === route).length;
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

beforeEach(async () => {
  await scene.link("memes");
  scene.client.limits = { burst: 18, hour: 500, events: 1000 };
  await scene.context.database.transaction((tx) =>
    giveCapabilities(tx, { guildId: guild, channelId: "memes", roleId: "77", capabilities: ["view", "ban"] }),
  );
});

describe("somebody without rights", () => {
  test("appeals for 22 fids and names 30 channels, and no moderator is refused meanwhile", async () => {
    const context = contextOf(stranger);
    const begun = scene.context.clock.monotonic();
    for (let fid = 5000; fid < 5022; fid += 1) {
      expect(await codeOf(findAppellant(context, stranger, fid))).toMatch(/^(not_proven|rate_limited)$/);
      const outcome = await authorizeAction(contextOf(moderator), moderator, "memes", "ban");
      expect(outcome.channel.id).toBe("memes");
      scene.context.clock.advance(0.8);
    }
    for (let count = 0; count < 30; count += 1) {
      expect((await explainUnlinked(context, stranger, `channel-${count}`)).code).toBe("not_linked");
    }
    expect(scene.client.refusals).toEqual([]);
    expect(asked(verifications)).toBeLessThanOrEqual(10);
    expect(scene.context.clock.monotonic() - begun).toBeLessThan(60_000);
  });

  test("asks the network ten times a minute, and a third of what a route takes in ten seconds", async () => {
    const context = contextOf(stranger);
    const ask = (fid: number) => codeOf(findAppellant(context, stranger, fid));
    const first = [];
    for (let fid = 1; fid <= 8; fid += 1) first.push(await ask(fid));
    expect(first).toEqual([...Array(6).fill("not_proven"), ...Array(2).fill("rate_limited")]);
    scene.context.clock.advance(12);
    const later = [];
    for (let fid = 11; fid <= 16; fid += 1) later.push(await ask(fid));
    expect(later.filter((code) => code === "not_proven").length).toBeLessThanOrEqual(4);
    expect(asked(verifications)).toBeLessThanOrEqual(10);
    scene.context.clock.advance(61);
    expect(await ask(30)).toBe("not_proven");
  });

  test("is answered from what was said within the last minute, also that there is nothing", async () => {
    const context = contextOf(stranger);
    for (let count = 0; count < 5; count += 1) await codeOf(findAppellant(context, stranger, 7));
    expect(asked(verifications)).toBe(1);
    scene.context.clock.advance(61);
    await codeOf(findAppellant(context, stranger, 7));
    expect(asked(verifications)).toBe(2);
  });

  test("by whom the network was brought to refuse, brings moderators no rest", async () => {
    scene.client.fail("/fc/account-verifications", { what: "status", status: 429, retryAfter: 600 }, 1);
    expect(await codeOf(findAppellant(contextOf(stranger), stranger, 7))).toBe("rate_limited");
    expect(await codeOf(contextOf(moderator).network.accountVerifications.list({ fid: 8 }))).toBe("done");
    const background = scene.context.live.background("links");
    expect(await codeOf(background.accountVerifications.list({ fid: 8 }))).toBe("rate_limited");
  });
});

test("messages about actions, for which the network refuses calls, bring moderators no rest, and are sent later", async () => {
  const { clock, database } = scene.context;
  const rooms = createStrictRooms(clock);
  const ban = { guildId: guild, channelId: "memes", kind: "ban" as const, targetFid: people.troll };
  const { id } = await database.transaction((tx) =>
    proposeCase(tx, clock, { ...ban, actor: { userId: "1" } }),
  );
  await database.query
    .updateTable("castellan.cases")
    .set({ state: "applied" })
    .where("id", "=", id)
    .execute();
  const notice = { kind: "notice" as const, key: String(id), data: { template: "You were banned." } };
  const due = { destination: `${guild} ${people.troll}`, requestedAtMs: clock.now() };
  await request(database.query, [{ ...notice, ...due }]);
  scene.client.channels.verifications.set(people.troll, "800");
  scene.client.fail("/fc/account-verifications", { what: "status", status: 429, retryAfter: 600 }, 1);
  await sendNow(scene.context, rooms);
  expect(await codeOf(contextOf(moderator).network.accountVerifications.list({ fid: 8 }))).toBe("done");
  clock.advance(599);
  await sendNow(scene.context, rooms);
  expect(rooms.shown("direct 800")).toEqual([]);
  clock.advance(2);
  await sendNow(scene.context, rooms);
  expect(rooms.shown("direct 800")).toHaveLength(1);
});

test("who moderates by what the network says alone is not refused, however much others ask", async () => {
  scene.client.channels.verifications.set(people.owner, "700");
  const owner = person("700");
  for (let fid = 5000; fid < 5020; fid += 1) await codeOf(findAppellant(contextOf(stranger), stranger, fid));
  expect((await authorizeAction(contextOf(owner), owner, "memes", "ban")).by.fid).toBe(people.owner);
  expect(await hasKnownRights(scene.context, owner)).toBe(true);
  expect(await hasKnownRights(scene.context, stranger)).toBe(false);
});

test("the people of one server leave some of each route to others", async () => {
  const { network } = contextOf(moderator);
  const before = scene.context.clock.monotonic();
  for (let count = 0; count < 13; count += 1)
    await network.channelBans.list({ channelId: "memes", fid: count + 1 });
  expect(scene.context.clock.monotonic() - before).toBeGreaterThanOrEqual(5_000);
});

import { describe, expect, it, test } from "vitest";
import type { View } from "../../src/discord/view.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deskOf, textOf, useConsole } from "../support/console.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";

const setup = useConsole();
const { read, act, press } = deskOf(setup);

async function held(): Promise<View> {
  const [item] = (await read("/queue")).items;
  if (!item) throw new Error("nothing is held");
  return item.view;
}

describe("the queue", () => {
  it("shows what is held, and a claim keeps others away until it is given back", async () => {
    await setup.scene.hold();
    const { items, names } = await read("/queue");
    expect(items).toMatchObject([{ number: "R-1", fid: people.troll }]);
    expect(textOf(await held())).toContain("Free airdrop");
    expect((await press(await held(), "Claim")).status).toBe(200);
    expect(textOf(await held())).toContain(`<@${setup.scene.users.moderator}> is reviewing it`);
    expect((await read("/queue")).names).toMatchObject({ [setup.scene.users.moderator]: "Mona Moderator" });
    expect(names).toEqual({});
    const owner = await setup.desk.signIn(setup.scene.users.owner);
    const refused = await press(await held(), "Dismiss", owner);
    expect([refused.status, refused.error?.message]).toEqual([
      403,
      expect.stringContaining("has claimed R-1"),
    ]);
    expect(refused.error?.names).toEqual({ [setup.scene.users.moderator]: "Mona Moderator" });
    await press(await held(), "Release");
    expect((await press(await held(), "Dismiss", owner)).status).toBe(200);
    expect((await read("/queue")).items).toEqual([]);
  });

  it("is decided as in Discord: a case in the presser's name, told in every room, once", async () => {
    await setup.scene.hold();
    const view = await held();
    const [first, second] = await Promise.all([press(view, "Hide"), press(view, "Hide")]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
    expect(await setup.scene.hidden()).toEqual([[setup.scene.castHash(), "hide"]]);
    const [subject, another] = await setup.scene.bot.database.query
      .selectFrom("castellan.cases")
      .selectAll()
      .execute();
    expect(subject).toMatchObject({
      actor_user: setup.scene.users.moderator,
      kind: "hide",
      state: "applied",
    });
    expect(another).toBeUndefined();
    const words = `Hidden by <@${setup.scene.users.moderator}>`;
    await setup.scene.deliver();
    expect(setup.scene.shownIn("mod-log").text).toContain(words);
    expect(setup.scene.shownIn("feed").text).toContain(words);
  });

  it("asks before a ban for how long, and bans so", async () => {
    await setup.scene.hold();
    const asked = await press(await held(), "Ban");
    expect(asked.ephemeral).toBe(true);
    expect(await setup.scene.banned()).toEqual([]);
    await press(asked.view, "7 days");
    expect(await setup.scene.banned()).toEqual([people.troll]);
    const [subject] = (await read("/cases?channel=memes")).cases;
    expect(subject).toMatchObject({
      number: "C-1",
      by: expect.stringContaining(setup.scene.users.moderator),
    });
    expect(subject?.state).toMatch(/^done · ends <t:/);
  });
});

test("the latest decisions are listed, and undone as in Discord", async () => {
  await setup.scene.hold();
  expect((await read("/queue/decided")).items).toEqual([]);
  await press(await held(), "Dismiss");
  const [decided] = (await read("/queue/decided?channel=memes")).items;
  expect(decided?.number).toBe("R-1");
  expect(textOf(decided?.view ?? {})).toContain("Dismissed: nothing was done, by");
  expect((await press(decided?.view ?? {}, "Undo")).status).toBe(200);
  expect((await read("/queue/decided")).items).toEqual([]);
  expect((await read("/queue")).items.map(({ number }) => number)).toEqual(["R-1"]);
});

describe("cases", () => {
  async function hideOne(): Promise<void> {
    const row = castRow(setup.scene.castHash(), { fid: people.troll, text: "Free airdrop" });
    await setup.scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    await setup.scene.hold();
    await press(await held(), "Hide");
  }

  it("are found by every filter of /case show", async () => {
    await hideOne();
    const count = async (query: string) => (await read(`/cases?channel=memes&${query}`)).cases.length;
    for (const fits of [
      "user=7",
      `moderator=${setup.scene.users.moderator}`,
      "action=hide",
      "rule=scam",
      "state=done",
      "since=1d",
      "words=airdrop",
    ]) {
      expect([fits, await count(fits)]).toEqual([fits, 1]);
    }
    for (const fails of ["user=3", "action=ban", "rule=other", "state=failed", "until=1d", "words=lamp"]) {
      expect([fails, await count(fails)]).toEqual([fails, 0]);
    }
    expect((await read("/case-filters?channel=memes")).moderators).toEqual([
      `<@${setup.scene.users.moderator}>`,
    ]);
    expect((await read("/cases?channel=memes&moderator=")).status).toBe(200);
    for (const nobody of ["mo", setup.scene.users.owner]) {
      const answer = await read(`/cases?channel=memes&moderator=${nobody}`);
      expect(answer.status).toBe(400);
      expect(answer.error?.message).toContain("Choose a moderator from the list.");
    }
    expect((await read("/cases?channel=memes&since=soon")).error?.message).toContain(
      "is not a time in the past",
    );
    expect((await read("/cases?channel=memes&before=1e99")).status).toBe(400);
  });

  it("are undone after a preview, once, by whoever may", async () => {
    await hideOne();
    const { view } = await read("/cases/memes/C-1");
    expect(textOf(view)).toContain("C-1 · Hide · done");
    const preview = await press(view, "Undo");
    expect(textOf(preview.view)).toContain("1 cast shows again.");
    expect(await setup.scene.hidden()).toHaveLength(1);
    const owner = await setup.desk.signIn(setup.scene.users.owner);
    expect((await press(preview.view, "Undo", owner)).error?.code).toBe("not_allowed");
    const done = await Promise.all([press(preview.view, "Undo"), press(preview.view, "Undo")]);
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await setup.scene.hidden()).map(([, action]) => action)).toContain("unhide");
    expect((await read("/cases?channel=memes")).cases.map(({ number }) => number)).toEqual(["C-2", "C-1"]);
  });

  it("that are not there, and buttons that are not ours, are told so", async () => {
    expect((await read("/cases/memes/C-9")).error?.message).toContain("There is no case C-9");
    expect((await read("/cases/memes/abc")).status).toBe(400);
    expect((await act("/press", { customId: "link:anything" })).status).toBe(410);
    expect((await act("/press", { customId: "confirm:AAAAAAAAAAAAAAAA" })).status).toBe(410);
    expect((await act("/run", { path: "setup unlink", options: {} })).status).toBe(404);
    expect((await act("/press", { customId: "run:setup permissions:channel=memes" })).status).toBe(404);
    expect((await act("/press", { nothing: 1 })).status).toBe(400);
  });
});

test("rejects NUL characters and unknown pages with 400 and 404", async () => {
  for (const path of [
    "/cases?channel=memes&words=a%00b",
    "/queue?queue=%00",
    "/suggest?path=who&option=user&typed=%00",
  ]) {
    expect([path, (await read(path)).status]).toEqual([path, 400]);
  }
  const options = { user: "7", channel: "memes", text: "a\0b" };
  expect((await act("/run", { path: "note", options })).status).toBe(400);
  expect((await read("/read/constructor")).status).toBe(404);
});

describe("rights", () => {
  const pages = [
    "/queue",
    "/queue/decided",
    "/channels",
    "/found",
    "/found/count",
    "/cases?channel=memes",
    "/read/person?user=7",
    "/read/health",
    "/read/audit",
    "/live",
  ];

  test.each(["stranger", "member"] as const)("a %s sees nothing and does nothing", async (name) => {
    await setup.scene.hold();
    const view = await held();
    const visitor = await setup.desk.signIn(setup.scene.users[name]);
    for (const page of pages) expect([page, (await read(page, visitor)).status]).toEqual([page, 403]);
    for (const { label } of view.buttons?.flat() ?? []) {
      expect([label, (await press(view, label, visitor)).status]).toEqual([label, 403]);
    }
    expect(await setup.scene.hidden()).toEqual([]);
    const me = (await setup.desk.get("/console/api/me", visitor)).json<{ servers: unknown[] }>();
    expect(me.servers).toEqual([]);
  });

  it("nobody is let into another server", async () => {
    for (const server of ["123456789012345678", "abc", "1%20or%201"]) {
      const answer = await setup.desk.get(`/console/api/servers/${server}/queue`, setup.visitor);
      expect([server, answer.statusCode]).toEqual([server, 404]);
    }
  });

  it("a role that is given counts at the next request, and so does one that is lost", async () => {
    const { guildId, context } = setup.scene.discord;
    const [, role] = context.world.guilds.get(guildId)?.roles ?? [];
    const grant = { guildId, channelId: "memes", roleId: role?.id ?? "" };
    await setup.scene.bot.database.transaction((tx) =>
      giveCapabilities(tx, { ...grant, capabilities: ["view", "hide"] }),
    );
    await setup.scene.hold();
    const member = await setup.desk.signIn(setup.scene.users.member);
    expect((await read("/queue", member)).status).toBe(403);
    setup.scene.discord.setRoles(guildId, setup.scene.users.member, [grant.roleId]);
    const { status, items } = await read("/queue", member);
    expect([status, items.length]).toEqual([200, 1]);
    const view = items[0]?.view ?? {};
    setup.scene.discord.setRoles(guildId, setup.scene.users.member, []);
    expect((await press(view, "Hide", member)).error?.code).toBe("not_allowed");
    expect(await setup.scene.hidden()).toEqual([]);
    expect((await read("/queue", member)).status).toBe(403);
  });

  it("whoever left the server is in it no more", async () => {
    const { guilds } = setup.scene.discord.context.world;
    const guild = guilds.get(setup.scene.discord.guildId);
    const members = guild?.members ?? [];
    if (guild) guild.members = members.filter(({ userId }) => userId !== setup.scene.users.moderator);
    expect((await read("/queue")).status).toBe(404);
    if (guild) guild.members = members;
    expect((await read("/queue")).status).toBe(200);
  });
});

test("what strangers wrote comes as text of our markdown, which formats nothing of theirs", async () => {
  const words = "<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1)) @everyone ``` <script>";
  await setup.scene.bot.database.query
    .insertInto("castellan.names")
    .values({ fid: people.troll, name: words, owner: "0x", since: 1 })
    .execute();
  await setup.scene.hold();
  const { view } = await read("/read/person?user=7");
  const said = textOf(view);
  expect(said).toContain("\\\\*\\\\*bold\\\\*\\\\*");
  expect(said).not.toMatch(/[^\\]\[x\]\(javascript/);
});

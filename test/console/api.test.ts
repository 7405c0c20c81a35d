import { describe, expect, it, test } from "vitest";
import { apiOf, type ApiAnswer } from "../support/api.ts";
import { useConsole } from "../support/console.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";

const setup = useConsole();
const { get, post, createToken } = apiOf(setup);
const castHash = () => setup.scene.castHash();

describe("reading", () => {
  it("gives the queue and the cases page by page, to tokens with view alone", async () => {
    const token = await createToken("view, hide");
    const row = castRow(castHash(), { fid: people.troll, text: "Free airdrop" });
    await setup.scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    await setup.scene.hold();
    const { reviews } = await get(token, "/reviews?limit=1");
    expect(reviews).toMatchObject([
      { number: "R-1", rule: "scam", fid: people.troll, text: "Free airdrop", channels: [{ state: "open" }] },
    ]);
    await post(token, "/channels/memes/hides", { cast: castHash(), reason: "spam" });
    await post(token, "/channels/memes/unhides", { cast: castHash() });
    const first = await get(token, "/channels/memes/cases?limit=1");
    expect(first.cases).toMatchObject([{ number: "C-2", action: "unhide" }]);
    const { next } = JSON.parse(first.text) as { next: string };
    const second = await get(token, `/channels/memes/cases?limit=1&cursor=${next}`);
    expect(second.cases).toMatchObject([{ number: "C-1", action: "hide", reason: "spam" }]);
    expect(JSON.parse(second.text)).not.toHaveProperty("next");
    expect((await get(token, "/channels/memes/cases?action=hide&fid=7")).cases).toHaveLength(1);
    const since = encodeURIComponent("2026-01-01T02:00:00.123456+02:00");
    expect((await get(token, `/channels/memes/cases?since=${since}`)).status).toBe(200);
    expect((await get(token, "/channels/memes/cases/C-1")).status).toBe(200);
    expect((await get(token, "/channels/memes/cases/C-9")).status).toBe(404);
    expect((await get(token, "/bulks")).status).toBe(200);
    const person = await get(token, `/people/${people.troll}`);
    expect(person.channels).toMatchObject([{ channel: "memes", cases: expect.any(Array) }]);
    await setup.scene.run("moderator", "setup tokens", { revoke: "ci-bot" });
    const blind = await createToken("hide");
    for (const path of ["/reviews", "/channels/memes/cases", "/bulks", `/people/${people.troll}`]) {
      const refused = await get(blind, path);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.detail).toContain('it lacks "view"');
    }
  });

  it("answers HEAD like GET, without the body", async () => {
    const headers = { authorization: `Bearer ${await createToken("view")}` };
    for (const path of ["/channels", "/channels/memes/cases", "/openapi.json"]) {
      const ask = (method: "GET" | "HEAD") =>
        setup.desk.server.inject({ method, url: `/api/v1${path}`, headers });
      const [got, head] = [await ask("GET"), await ask("HEAD")];
      expect([path, head.statusCode, head.body]).toEqual([path, 200, ""]);
      expect(head.headers["content-type"]).toBe(got.headers["content-type"]);
    }
  });

  it("names what is wrong with a request", async () => {
    const token = await createToken("view");
    for (const [path, detail] of [
      ["/channels/memes/cases?limit=1000", "limit: is too large: at most 100"],
      ["/channels/memes/cases?limit=many", "limit: must be a number"],
      ["/channels/memes/cases?since=yesterday", "since: must be a time such as"],
      ["/channels/memes/cases?stat=applied", "stat"],
      ["/channels/memes/cases?state=done", 'state: must be "requested"'],
      ["/reviews?queue=a&queue=b", "queue: is given more than once"],
      ["/reviews?queue=%00", "queue:"],
      ["/reviews?cursor=x", "There is no such page"],
      ["/people/0", "fid:"],
      ["/channels/memes/cases/S-5", " /who lists a person's strikes."],
    ] as const) {
      const refused = await get(token, path);
      expect([path, refused.status, refused.code]).toEqual([path, 400, "invalid_input"]);
      expect(refused.detail).toContain(detail);
    }
    expect((await get(token, "/nothing")).status).toBe(404);
    const noDuration = await post(token, "/channels/memes/bans", { fid: people.troll });
    expect([noDuration.status, noDuration.detail]).toEqual([400, "duration: is missing"]);
  });
});

describe("acting", () => {
  it("decides a review once, as a case that names the token, also where it is posted", async () => {
    const token = await createToken("view, hide");
    await setup.scene.hold();
    const headers = { "idempotency-key": "first" };
    const done = await post(token, "/reviews/R-1/decision", { decision: "hide" }, headers);
    expect([done.status, done.headers["idempotency-replayed"]]).toEqual([200, undefined]);
    const by = { kind: "person", userId: setup.scene.users.moderator, token: "ci-bot" };
    expect(done.cases).toMatchObject([{ number: "C-1", action: "hide", state: "applied", by }]);
    const again = await post(token, "/reviews/R-1/decision", { decision: "hide" }, headers);
    expect([again.status, again.headers["idempotency-replayed"]]).toEqual([200, "true"]);
    expect([again.cases, again.message]).toEqual([done.cases, done.message]);
    const other = await post(token, "/reviews/R-1/decision", { decision: "dismiss" }, headers);
    expect([other.status, other.code]).toEqual([422, "idempotency_key_reused"]);
    const late = await post(token, "/reviews/R-1/decision", { decision: "dismiss" });
    expect([late.status, late.code]).toEqual([409, "already_answered"]);
    expect(await setup.scene.hidden()).toEqual([[castHash(), "hide"]]);
    await setup.scene.deliver();
    const words = `Hidden by the API token \`ci-bot\` of <@${setup.scene.users.moderator}>`;
    expect(setup.scene.shownIn("mod-log").text).toContain(words);
    const shown = await setup.scene.run("moderator", "case show", { number: "C-1" });
    expect(shown.text).toContain(`By: the API token \`ci-bot\` of <@${setup.scene.users.moderator}>`);
    expect((await get(token, "/reviews/R-1")).channels).toMatchObject([
      { state: "hidden", decidedToken: "ci-bot" },
    ]);
  });

  it("bans, lifts and undoes as the commands do, and says where there is nothing to do", async () => {
    const token = await createToken("view, ban, undo");
    const ban = { fid: people.troll, duration: "7d", reason: "spam" };
    expect((await post(token, "/channels/memes/bans", ban)).cases).toMatchObject([
      { action: "ban", state: "applied", endsAt: expect.any(String) },
    ]);
    expect(await setup.scene.banned()).toEqual([people.troll]);
    expect((await post(token, "/channels/memes/unbans", { fid: people.troll })).cases).toMatchObject([
      { action: "unban" },
    ]);
    const nothing = await post(token, "/channels/memes/unbans", { fid: people.troll });
    expect([nothing.status, nothing.cases]).toEqual([200, []]);
    expect(nothing.message).toContain("Nothing to lift");
    await post(token, "/channels/memes/bans", ban);
    const undone = await post(token, "/channels/memes/cases/C-3/undo", { reason: "mistake" });
    expect(undone.cases).toMatchObject([{ number: "C-4", action: "unban", reason: "mistake" }]);
    const unknown = await post(token, "/channels/memes/cases/C-9/undo", {});
    expect([unknown.status, unknown.code]).toEqual([404, "not_found"]);
    const owner = await post(token, "/channels/memes/bans", { ...ban, fid: people.owner });
    expect([owner.status, owner.code]).toEqual([403, "cannot_ban_owner"]);
    expect(await setup.scene.banned()).toEqual([]);
  });

  it("invites, pins and unpins as the commands do, and undoes an invite", async () => {
    const token = await createToken("view, invite, pin");
    const headers = { "idempotency-key": "invite" };
    const invite = () => post(token, "/channels/memes/invites", { fid: people.troll }, headers);
    await setup.scene.bot.net.seed.follow(people.troll, "memes");
    const invited = await invite();
    const by = { kind: "person", userId: setup.scene.users.moderator, token: "ci-bot" };
    expect(invited.cases).toMatchObject([{ number: "C-1", action: "invite", state: "applied", by }]);
    expect(invited.message).toContain("Invites to /memes in the last hour: 1 of");
    const again = await invite();
    expect([again.headers["idempotency-replayed"], again.cases]).toEqual(["true", invited.cases]);
    const undone = await post(token, "/channels/memes/cases/C-1/undo", {});
    expect(undone).toMatchObject({ status: 200, cases: [{ action: "revoke_invite", state: "applied" }] });
    const quiet = await post(token, "/channels/memes/pins", { cast: castHash() });
    const loud = await post(token, "/channels/memes/pins", { cast: castHash(), notify: true });
    const cleared = await post(token, "/channels/memes/unpins", {});
    expect([quiet, loud, cleared].map(({ cases }) => cases)).toMatchObject([
      [{ number: "C-3", action: "pin", state: "applied", castHash: castHash(), by }],
      [{ number: "C-4", action: "pin", by }],
      [{ number: "C-5", action: "unpin", state: "applied", by }],
    ]);
    const { query } = setup.scene.bot.database;
    const pins = query.selectFrom("castellan.cases").select("notify").where("kind", "=", "pin").orderBy("id");
    expect(await pins.execute()).toEqual([{ notify: false }, { notify: true }]);
    const shown = await setup.scene.run("moderator", "case show", { number: "C-3" });
    expect(shown.text).toContain(`By: the API token \`ci-bot\` of <@${setup.scene.users.moderator}>`);
    const wrong = await post(token, "/channels/memes/pins", { cast: castHash(), notify: "yes" });
    expect([wrong.status, wrong.code]).toEqual([400, "invalid_input"]);
  });

  it("undoes only what its path names, and decides only one review", async () => {
    const token = await createToken("view, hide, ban, undo");
    await post(token, "/channels/memes/bans", { fid: people.troll, duration: "7d" });
    const texts = ["C-1", "1", "B-1", "R-1", "S-1", "rule:scam", "fid 7"];
    for (const cast of texts) {
      expect((await post(token, "/channels/memes/unhides", { cast })).status).toBe(400);
    }
    for (const number of texts.slice(2)) {
      const path = `/channels/memes/cases/${encodeURIComponent(number)}/undo`;
      expect([number, (await post(token, path, {})).status]).toEqual([number, 400]);
    }
    expect((await post(token, "/reviews/R-1%20R-2/decision", { decision: "dismiss" })).status).toBe(400);
    expect(await setup.scene.banned()).toEqual([people.troll]);
  });

  it("bans nobody for a time that was not said, nor for good without a reason", async () => {
    const token = await createToken("view, hide, ban");
    await setup.scene.hold();
    const { troll: fid } = people;
    for (const [path, body] of [
      ["/channels/memes/bans", { fid }],
      ["/channels/memes/bans", { fid, duration: "permanent" }],
      ["/reviews/R-1/decision", { decision: "ban" }],
      ["/reviews/R-1/decision", { decision: "ban", duration: "permanent" }],
    ] as const) {
      expect((await post(token, path, body)).status).toBe(400);
    }
    expect(await setup.scene.banned()).toEqual([]);
  });

  it("does nothing that the token was not given, though its owner may", async () => {
    const token = await createToken("view");
    await setup.scene.hold();
    for (const [path, body] of [
      ["/channels/memes/bans", { fid: people.troll, duration: "1d" }],
      ["/channels/memes/hides", { cast: castHash() }],
      ["/channels/memes/invites", { fid: people.troll }],
      ["/channels/memes/pins", { cast: castHash() }],
      ["/channels/memes/pins", { cast: castHash(), notify: true }],
      ["/channels/memes/unpins", {}],
      ["/reviews/R-1/decision", { decision: "hide" }],
      ["/reviews/R-1/decision", { decision: "dismiss" }],
    ] as const) {
      const refused = await post(token, path, body);
      expect([path, refused.status, refused.code]).toEqual([path, 403, "not_allowed"]);
    }
    expect(await setup.scene.hidden()).toEqual([]);
    expect(await setup.scene.banned()).toEqual([]);
    const { query } = setup.scene.bot.database;
    expect(await query.selectFrom("castellan.cases").select("kind").execute()).toEqual([]);
  });

  it("leaves to people what was left to the owner, also with the owner's own token", async () => {
    const token = await createToken("view, hide", {}, "owner");
    await setup.scene.hold();
    await setup.scene.bot.database.query
      .updateTable("castellan.review_items")
      .set({ escalated_by: "5", escalated_at_ms: 1 })
      .execute();
    const refused = await post(token, "/reviews/R-1/decision", { decision: "hide" });
    expect([refused.status, refused.detail]).toEqual([403, expect.stringContaining("to the owner")]);
  });

  it("is done once where the same request comes twice at the same time", async () => {
    const token = await createToken("view, hide");
    const headers = { "idempotency-key": "twice" };
    const send = () => post(token, "/channels/memes/hides", { cast: castHash() }, headers);
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect((await get(token, "/channels/memes/cases")).cases).toHaveLength(1);
  });

  it("is not done again after a crash between the case and the answer", async () => {
    const token = await createToken("view, hide");
    const headers = { "idempotency-key": "crash" };
    const body = { cast: castHash() };
    const done = await post(token, "/channels/memes/hides", body, headers);
    const requests = setup.scene.bot.database.query.updateTable("castellan.api_requests");
    const now = setup.scene.bot.clock.now();
    await requests.set({ answer: null, lease_token: "t", leased_until_ms: now + 60_000 }).execute();
    const early = await post(token, "/channels/memes/hides", body, headers);
    expect([early.status, early.code]).toEqual([409, "request_in_progress"]);
    setup.scene.bot.clock.advance(61);
    const again = await post(token, "/channels/memes/hides", body, headers);
    expect([again.status, again.cases]).toEqual([200, done.cases]);
    expect((await get(token, "/channels/memes/cases")).cases).toHaveLength(1);
  });

  it("may be tried again with the same key where nothing was done", async () => {
    const token = await createToken("view, hide");
    const headers = { "idempotency-key": "again" };
    const body = { cast: "nonsense" };
    expect((await post(token, "/channels/memes/hides", body, headers)).status).toBe(400);
    expect((await post(token, "/channels/memes/hides", { cast: castHash() }, headers)).status).toBe(200);
  });

  it("takes JSON objects alone", async () => {
    const token = await createToken("view, hide");
    const { server, origin } = setup.desk;
    for (const payload of ["{", "[]", '"x"', '{"cast":"x","casts":1}']) {
      const answer = await server.inject({
        method: "POST",
        url: "/api/v1/channels/memes/hides",
        headers: {
          host: new URL(origin).host,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
        },
        payload,
      });
      expect([payload, answer.statusCode, answer.json<ApiAnswer>().code]).toEqual([
        payload,
        400,
        "invalid_input",
      ]);
    }
  });
});

test("the OpenAPI document describes every operation and parameter, by named schemas", async () => {
  const answer = await setup.desk.server.inject({ method: "GET", url: "/api/v1/openapi.json" });
  interface Operation {
    operationId: string;
    description: string;
    parameters: { name: string; description?: string }[];
    responses: { 200: { content: { "application/json": { schema: { $ref: string } } } } };
  }
  const document = answer.json<{
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, { description: string }> };
  }>();
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual([
    "ban",
    "decideReview",
    "getCase",
    "getPerson",
    "getReview",
    "hide",
    "invite",
    "listBulks",
    "listCases",
    "listChannels",
    "listReviews",
    "pin",
    "unban",
    "undoCase",
    "unhide",
    "unpin",
  ]);
  const { schemas } = document.components;
  for (const { operationId, description, parameters, responses } of described) {
    expect([operationId, description.length > 20]).toEqual([operationId, true]);
    expect(parameters.filter((one) => !one.description).map(({ name }) => `${operationId} ${name}`)).toEqual(
      [],
    );
    const { $ref } = responses[200].content["application/json"].schema;
    expect(Object.keys(schemas)).toContain($ref.replace("#/components/schemas/", ""));
  }
  for (const [, name = ""] of answer.body.matchAll(/"\$ref":"([^"]+)"/g)) {
    expect(Object.keys(schemas).map((id) => `#/components/schemas/${id}`)).toContain(name);
  }
  expect(Object.values(schemas).filter(({ description }) => !description)).toEqual([]);
});

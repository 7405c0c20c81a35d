import { describe, expect, it } from "vitest";
import { createServer } from "../../../src/api/http/create-server.ts";
import { AppError, registryErrors, type ClientReason, type RegistryCode } from "../../../src/errors.ts";
import { collectLog } from "../../support/log.ts";
import { createScriptedApi } from "../../support/served-network.ts";

async function answerOf(thrown: unknown, url: string) {
  const { log, lines } = collectLog();
  const server = await createServer({
    api: createScriptedApi(() => {
      throw thrown;
    }),
    log,
    isReady: () => true,
    operator: { token: "t".repeat(32), hosts: [] },
  });
  const response = await server.inject({ url, headers: { authorization: `Bearer ${"t".repeat(32)}` } });
  return { status: response.statusCode, headers: response.headers, body: response.json<unknown>(), lines };
}

const statuses: Record<ClientReason, number> = {
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_auth_token: 401,
  not_found: 404,
  not_permitted: 403,
  not_owner: 403,
  cannot_ban_owner: 403,
  cannot_ban_moderator: 403,
  cannot_remove_owner: 403,
  banned_from_channel: 403,
  invitee_not_following: 403,
  invitee_not_member: 403,
  no_active_invite: 403,
  invite_already_answered: 409,
  too_many_moderators: 409,
  cast_not_in_channel: 403,
  insufficient_credits: 403,
  too_large: 413,
  rate_limited: 429,
  not_ready: 503,
};

describe("errors of the client API", () => {
  // Object.entries forgets that its keys are the record's.
  const cases = Object.entries(statuses) as [ClientReason, number][];

  it.each(cases)("answers %s with status %i and the reason", async (reason, status) => {
    const error = new AppError(reason, "What is wrong.", { instancePath: "/fid" });
    const answer = await answerOf(error, "/v2/all-channels");
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ errors: [{ message: "What is wrong.", reason, instancePath: "/fid" }] });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it("leaves the path out where no field is to blame", async () => {
    const answer = await answerOf(new AppError("not_found", "No such channel."), "/v2/all-channels");
    expect(answer.body).toEqual({ errors: [{ message: "No such channel.", reason: "not_found" }] });
  });

  it("says after how many seconds a limited call may be repeated", async () => {
    const error = new AppError("rate_limited", "Too many invites.", { retryAfter: 17 });
    expect((await answerOf(error, "/v2/all-channels")).headers["retry-after"]).toBe("17");
  });

  it("answers 503 while the database is away, and logs why", async () => {
    const cause = new Error("connect ECONNREFUSED");
    const thrown = new AppError("database_unavailable", "Gone.", { cause });
    const answer = await answerOf(thrown, "/v2/all-channels");
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.body).toMatchObject({ errors: [{ reason: "not_ready" }] });
    expect(answer.lines).toMatchObject([{ level: 40, err: { message: cause.message } }]);
  });
});

describe("errors of the name registry", () => {
  // The keys of an object literal are the keys of its type.
  const codes = Object.keys(registryErrors) as RegistryCode[];

  it.each(codes)("answers %s as a validation failure", async (code) => {
    const answer = await answerOf(new AppError(code, "Why."), "/transfers");
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: "Validation failure", code, message: "Why." });
  });

  it("answers anything else with its message alone", async () => {
    const answer = await answerOf(new AppError("not_found", "No transfer found"), "/transfers/current");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: "No transfer found" });
  });
});

describe("errors of the hub", () => {
  it("answers with the code and its detail", async () => {
    const answer = await answerOf(new AppError("not_found", "No such event."), "/v1/eventById?event_id=5");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: "not_found", error_detail: "No such event." });
  });
});

describe("errors of operator routes", () => {
  it("list every mistake of a file with its path", async () => {
    const mistakes = [
      { path: "/channels/0/url", message: "is taken" },
      { path: "/casts/3/hash", message: "must be 0x and 40 hex digits" },
    ];
    const error = new AppError("invalid_file", "2 mistakes.", { mistakes });
    const answer = await answerOf(error, "/operator/notifications?channelId=memes");
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      errors: [
        { message: "2 mistakes.", reason: "invalid_file" },
        { message: "is taken", reason: "invalid_file", instancePath: "/channels/0/url" },
        { message: "must be 0x and 40 hex digits", reason: "invalid_file", instancePath: "/casts/3/hash" },
      ],
    });
  });
});

describe("a bug", () => {
  const shapes: [string, (message: string) => object][] = [
    ["/v2/all-channels", (message) => ({ errors: [{ message, reason: "internal_error" }] })],
    ["/transfers", (message) => ({ error: message })],
    ["/v1/events", (message) => ({ error: "internal_error", error_detail: message })],
  ];

  it.each(shapes)("on %s is shown as nothing but the id of its line in the log", async (url, shape) => {
    const answer = await answerOf(new TypeError("secret of the database"), url);
    expect(answer.status).toBe(500);
    expect(answer.lines).toMatchObject([{ level: 50, err: { message: "secret of the database" } }]);
    const id = String(answer.lines[0]?.["id"]);
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(answer.body).toEqual(shape(`Something went wrong (error ${id}).`));
  });

  it("is also an AppError that no caller of the network can act on", async () => {
    const answer = await answerOf(
      new AppError("database_misused", "query inside a transaction"),
      "/transfers",
    );
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("transaction");
  });
});

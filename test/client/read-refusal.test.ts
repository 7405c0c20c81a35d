import { describe, expect, it } from "vitest";
import { readRefusal } from "../../src/client/read-refusal.ts";
import { channels } from "../../src/contract/channels.ts";
import { channelBans } from "../../src/contract/membership.ts";
import { transfers } from "../../src/contract/registry.ts";
import { clientErrors, registryErrors } from "../../src/errors.ts";
import { createTestClock } from "../support/world.ts";

const clock = createTestClock(1_700_000_000);

function refuse(
  endpoint: Parameters<typeof readRefusal>[0],
  status: number,
  body: unknown,
  retryAfter?: string,
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readRefusal(endpoint, { status, text, retryAfter: retryAfter ?? null }, clock);
}

describe("what a refusal says", () => {
  it.each(Object.keys(clientErrors))("is the reason %s where the client API names it", (reason) => {
    const body = { errors: [{ message: "Why.", reason, instancePath: "/fid" }] };
    expect(refuse(channelBans.ban, 400, body)).toMatchObject({
      code: reason,
      message: "Why.",
      instancePath: "/fid",
      status: 400,
    });
  });

  it.each(Object.keys(registryErrors))("is the code %s where the registry names it", (code) => {
    expect(refuse(transfers.create, 400, { error: "Validation failure", code })).toMatchObject({
      code,
      message: "Validation failure",
    });
  });

  it.each([
    [400, "network_refused"],
    [403, "network_refused"],
    [409, "network_refused"],
    [408, "network_failed"],
    [425, "network_failed"],
    [429, "rate_limited"],
    [500, "network_failed"],
  ])("is final or not by its status %i where its reason is a word that we do not know", (status, code) => {
    const body = { errors: [{ message: "No.", reason: "moon_phase" }] };
    expect(refuse(channels.all, status, body)).toMatchObject({ code, status, message: "No." });
  });

  it.each([
    [400, "invalid_request"],
    [401, "invalid_auth_token"],
    [403, "not_permitted"],
    [404, "not_found"],
    [413, "too_large"],
    [429, "rate_limited"],
    [503, "not_ready"],
    [418, "network_refused"],
    [500, "network_failed"],
  ])("is what status %i means where it names no reason", (status, code) => {
    for (const body of [
      "<html>",
      "",
      "null",
      { errors: [{ message: "No." }] },
      { message: "No." },
      { errors: 5 },
    ]) {
      expect(refuse(channels.all, status, body)).toMatchObject({ code, status });
    }
  });

  it.each([
    [{ errors: [{ message: "one" }] }, "one"],
    [{ message: "two" }, "two"],
    [{ error: "three" }, "three"],
    [{ error: "Bad", error_detail: "four" }, "four"],
    ["<html>", "The network returned status 400."],
  ])("has its message from wherever there is one: %j", (body, message) => {
    expect(refuse(channels.all, 400, body).message).toBe(message);
  });

  it("names every mistake of a network file", () => {
    const errors = [
      { message: "2 mistakes.", reason: "invalid_file" },
      { message: "is taken", reason: "invalid_file", instancePath: "/channels/0/url" },
    ];
    expect(refuse(channels.all, 400, { errors })).toMatchObject({
      code: "invalid_file",
      mistakes: [{ path: "/channels/0/url", message: "is taken" }],
    });
  });
});

describe("Retry-After", () => {
  it.each([
    ["17", 17],
    ["1.5", 2],
    ["Tue, 14 Nov 2023 22:13:40 GMT", 20],
    ["Tue, 14 Nov 2023 22:00:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("%s at 22:13:20 is %s seconds", (header, seconds) => {
    expect(refuse(channels.all, 429, "", header).retryAfter).toBe(seconds);
  });
});

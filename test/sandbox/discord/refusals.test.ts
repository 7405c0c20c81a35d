import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { clockOf } from "../../support/world.ts";
import { sendRaw, startTestDiscord, testToken } from "../../support/discord.ts";

let now = 1_800_000_000_000;

// Each request comes a second after the last: no bucket is ever full, and nonces are still known.
const discord = await startTestDiscord({ clock: clockOf(() => (now += 1000)) });
const messages = `/channels/${discord.rooms.feed}/messages`;

afterAll(() => discord.stop());

test.each<[string, string, string, unknown, number, number]>([
  ["an unknown server", "GET", "/guilds/42", undefined, 404, 10004],
  ["a server whose id is of letters", "GET", "/guilds/abc", undefined, 400, 50035],
  ["a room whose id is of letters", "GET", "/channels/abc", undefined, 400, 50035],
  ["a known path with another method", "PUT", "/users/@me", {}, 405, 0],
  ["an unknown path", "GET", "/nothing", undefined, 404, 0],
])("%s", async (_, method, path, body, status, code) => {
  expect(await sendRaw(discord, method, path, body)).toMatchObject({ status, body: { code } });
});

test.each<[string, unknown, object]>([
  ["text for a number", { flags: "x" }, { flags: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } }],
  ["a number for text", { content: 1 }, { content: { _errors: [{ code: "STRING_TYPE_CONVERT" }] } }],
  ["text for a list", { embeds: "x" }, { embeds: { _errors: [{ code: "LIST_TYPE_CONVERT" }] } }],
  ["text for an object", { embeds: ["x"] }, { embeds: { 0: { _errors: [{ code: "MODEL_TYPE_CONVERT" }] } } }],
  [
    "a nonce that is too long",
    { content: "x", nonce: "n".repeat(26) },
    { nonce: { _errors: [{ code: "NONCE_TYPE_TOO_LONG" }] } },
  ],
  [
    "an embed of nothing",
    { embeds: [{ color: 1 }] },
    { embeds: { 0: { description: { _errors: [{ code: "BASE_TYPE_REQUIRED" }] } } } },
  ],
  [
    "a reply to a message that is gone",
    { content: "x", message_reference: { message_id: "42" } },
    { message_reference: { _errors: [{ code: "REPLIES_UNKNOWN_MESSAGE" }] } },
  ],
])("a message with %s", async (_, body, errors) => {
  const answer = await sendRaw(discord, "POST", messages, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 50035, errors } });
});

test("what Discord takes: digits for a number, and a reply that may miss its message", async () => {
  expect(await sendRaw(discord, "POST", messages, { content: "x", flags: "4" })).toMatchObject({
    status: 200,
    body: { flags: 4 },
  });
  const reference = { message_id: "42", fail_if_not_exists: false };
  const sent = await sendRaw(discord, "POST", messages, { content: "x", message_reference: reference });
  expect(sent).toMatchObject({ status: 200, body: { type: 0 } });
});

test("a page of messages before something that is no id", async () => {
  const { body } = await sendRaw(discord, "GET", `${messages}?before=abc`);
  expect(body).toMatchObject({
    code: 50035,
    errors: { before: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } },
  });
});

test("half of an emoji is no text; a whole one, and the letters of an escape, are", async () => {
  const send = async (content: string) => (await sendRaw(discord, "POST", messages, { content })).status;
  expect(await send("cut \ud83d")).toBe(400);
  expect(await send("whole \ud83d\ude00 \\ud83d")).toBe(200);
});

test("a body of plain text", async () => {
  const answer = await sendRaw(discord, "POST", messages, { content: "x" }, { "content-type": "text/plain" });
  expect(answer.body).toMatchObject({
    code: 50035,
    errors: { _errors: [{ code: "CONTENT_TYPE_INVALID" }] },
  });
});

test("a client without a name", async () => {
  const headers = { authorization: `Bot ${testToken}` };
  const [answer] = (await once(request(`${discord.api}/v10/users/@me`, { headers }).end(), "response")) as [
    IncomingMessage, // what the event brings
  ];
  answer.resume();
  expect(answer.statusCode).toBe(403);
});

function upload(sizes: readonly number[]): Promise<Response> {
  const form = new FormData();
  for (const [index, size] of sizes.entries())
    form.append(`files[${index}]`, new Blob([new Uint8Array(size)]), `${index}.bin`);
  const headers = { authorization: `Bot ${testToken}`, "user-agent": "DiscordBot (https://a.example, 1)" };
  return fetch(`${discord.api}/v10${messages}`, { method: "POST", headers, body: form });
}

test("eleven files, and one of more than 10 MiB", async () => {
  const many = await upload(Array<number>(11).fill(1));
  expect([many.status, await many.json()]).toMatchObject([400, { code: 30015 }]);
  const large = await upload([10 * 1024 * 1024 + 1]);
  expect([large.status, await large.json()]).toMatchObject([413, { code: 40005 }]);
  expect((await upload([10 * 1024 * 1024])).status).toBe(200);
});

test("a nonce is its author's, in whatever room", async () => {
  const body = { content: "once", nonce: "n-1", enforce_nonce: true };
  const first = await sendRaw(discord, "POST", messages, body);
  const again = await sendRaw(discord, "POST", `/channels/${discord.rooms.general}/messages`, body);
  expect(again.body.id).toBe(first.body.id);
});

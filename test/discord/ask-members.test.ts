import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Guild } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { createMemberReader, type MemberReader } from "../../src/discord/ask-members.ts";

const server = createServer((_request, response) => void open.push(response));
/** What Discord was asked and has not answered. */
let open: ServerResponse[];
let reader: MemberReader;

beforeEach(async () => {
  open = [];
  await once(server.listen(0, "127.0.0.1"), "listening");
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // All that is read of a client. It has no REST of its own: behind that one answers to commands wait.
  const client = { options: { rest: { api } }, token: "the.token.of.this.test", users: { cache: new Map() } };
  reader = createMemberReader(client as unknown as Client<true>, systemClock);
});
afterEach(async () => {
  server.closeAllConnections();
  await once(server.close(), "close");
});

function answerAll(): void {
  for (const response of open.splice(0)) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "Unknown Member", code: 10_007 }));
  }
}

test("Discord is asked about four at once, whatever the number of servers, and about the next when one has an answer", async () => {
  const guilds = Array.from({ length: 6 }, (_, index) => ({ id: String(100 + index) }) as Guild);
  const reading = Promise.all(guilds.map((guild) => reader.read(guild, "5")));
  await expect.poll(() => open.length).toBe(4);
  await sleep(100);
  expect(open).toHaveLength(4);
  answerAll();
  await expect.poll(() => open.length).toBe(2);
  answerAll();
  expect(await reading).toEqual(Array(6).fill(undefined));
});

import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { refusalOf } from "../../../src/sandbox/discord/guard-origin.ts";
import { startTestDiscord } from "../../support/discord.ts";

const discord = await startTestDiscord({
  allowedHosts: ["sandbox.internal"],
  page: () => async (server) => void server.get("/", async () => "page"),
});

afterAll(() => discord.stop());

/** `fetch` lets nobody set Host and Origin. */
function statusWith(headers: Record<string, string>, path = "/"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${discord.origin}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject).end();
  });
}

const own = () => new URL(discord.origin).host;

test.each([
  ["its own address", () => ({ host: own() }), 200],
  ["localhost", () => ({ host: "localhost:1" }), 200],
  ["a name that it was told", () => ({ host: "sandbox.internal" }), 200],
  ["its own page", () => ({ host: own(), origin: `http://${own()}` }), 200],
  ["a rebound name", () => ({ host: "evil.example" }), 403],
  ["a name that only starts like its own", () => ({ host: "localhost.evil.example" }), 403],
  ["another page", () => ({ host: own(), origin: "https://evil.example" }), 403],
  ["a page of another port", () => ({ host: own(), origin: "http://127.0.0.1:1" }), 403],
  ["a page without an origin", () => ({ host: own(), origin: "null" }), 403],
  ["a picture in another page", () => ({ host: own(), "sec-fetch-site": "cross-site" }), 403],
])("a request from %s", async (_, headers, status) => {
  expect(await statusWith(headers())).toBe(status);
  // Without a token Discord's own routes answer 401 to whoever gets so far.
  expect(await statusWith(headers(), "/api/v10/gateway")).toBe(status === 200 ? 401 : 403);
});

test("a socket of another page is refused", async () => {
  const socket = new WebSocket(discord.origin.replace("http", "ws"), { origin: "https://evil.example" });
  const error = await new Promise<Error>((resolve) => socket.once("error", resolve));
  expect(error.message).toContain("403");
});

test("a socket that is refused and breaks off disturbs nobody", async () => {
  const { hostname, port } = new URL(discord.origin);
  const breaksOff = async () => {
    const socket = connect(Number(port), hostname).on("error", () => {});
    const head = ["GET /?v=10 HTTP/1.1", "Host: evil.example", "Connection: Upgrade", "Upgrade: websocket"];
    await once(socket, "connect");
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.once("data", () => socket.resetAndDestroy());
    await once(socket, "close");
  };
  await Promise.all(Array.from({ length: 20 }, breaksOff));
  expect(await statusWith({ host: own() })).toBe(200);
});

test("another machine is refused whatever it says of itself, unless others are let in", () => {
  const stranger = { headers: { host: "localhost" }, socket: { remoteAddress: "192.0.2.7" } };
  expect(refusalOf(stranger, { openToOthers: false, hosts: [] })).toContain("serves only its own machine");
  expect(refusalOf(stranger, { openToOthers: true, hosts: [] })).toBeNull();
  const near = { headers: { host: "localhost" }, socket: { remoteAddress: "::ffff:127.0.0.1" } };
  expect(refusalOf(near, { openToOthers: false, hosts: [] })).toBeNull();
  const page = { ...stranger, headers: { host: "192.0.2.1:4681", origin: "http://evil.example" } };
  expect(refusalOf(page, { openToOthers: true, hosts: [] })).toContain("other pages");
});

test.each(["//", "http://["])("a request for %s is a bad one, and no failure", async (path) => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(discord.origin);
    const asked = request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject).end();
  });
  expect(status).toBe(400);
});

import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createServer } from "../../../src/api/http/create-server.ts";
import { silentLog } from "../../../src/log.ts";
import { exchangeRaw } from "../../support/wild-input.ts";
import { createScriptedServer, portOf } from "../../support/served-network.ts";

const { server, calls } = await createScriptedServer();
await server.listen({ host: "127.0.0.1", port: 0 });
const port = portOf(server);
afterAll(() => server.close());

const head =
  "POST /fc/channel-bans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer 7\r\nContent-Type: application/json\r\n";

describe("what is hardly HTTP", () => {
  it.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["headers above 16 KiB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ["a length and chunks", `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400],
    ["broken chunks", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`, 400],
  ])("is refused as JSON and cut off: %s", async (_, bytes, status) => {
    const answer = await exchangeRaw(port, [bytes]);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`"reason":"invalid_request"`);
  });
});

describe("a body", () => {
  it("larger than allowed is refused by its length, before it is sent", async () => {
    const answer = await exchangeRaw(port, [`${head}Connection: close\r\nContent-Length: 100000000\r\n\r\n`]);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain(`"reason":"too_large"`);
  });

  it("larger than allowed is refused in the middle when it comes in chunks", async () => {
    const chunk = `8000\r\n${" ".repeat(0x8000)}\r\n`;
    const start = `${head}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchangeRaw(port, [start, chunk, chunk, chunk, "0\r\n\r\n"]);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it("may come slowly, and holds up nobody else", async () => {
    const body = `{"channelId":"m","banFid":3}`;
    const start = `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const healthcheck = async () => {
      expect((await fetch(`http://127.0.0.1:${port}/healthcheck`)).status).toBe(200);
      expect(calls).toEqual([]);
    };
    const slow = exchangeRaw(port, [start, ...body.split("")], {
      after: (sent) => (sent === 10 ? healthcheck() : sleep(5)),
    });
    expect(await slow).toMatch(/^HTTP\/1.1 200 /);
    expect(calls.at(-1)).toMatchObject({ caller: 7, input: { channelId: "m", banFid: 3 } });
  });
});

describe("closing", () => {
  it("lets calls in flight finish, and takes no new ones", async () => {
    const gate = new EventEmitter();
    const closing = await createServer({
      api: {
        callText: async () => {
          gate.emit("entered");
          await once(gate, "open");
          return `{"channels":[]}`;
        },
        authenticate: async () => 1,
      },
      log: silentLog,
      isReady: () => true,
    });
    const url = await closing.listen({ host: "127.0.0.1", port: 0 });
    const entered = once(gate, "entered");
    const inFlight = fetch(`${url}/v2/all-channels`);
    await entered;
    const closed = closing.close();
    await expect
      .poll(() => fetch(`${url}/healthcheck`).then(String, (error: Error) => error.message))
      .toBe("fetch failed");
    gate.emit("open");
    expect(await (await inFlight).json()).toEqual({ result: { channels: [] } });
    await closed;
  });

  it("closes although a call does not end", async () => {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const callText = () => {
      enter();
      return new Promise<string>(() => {});
    };
    const closing = await createServer({
      api: { callText, authenticate: async () => 1 },
      log: silentLog,
      isReady: () => true,
    });
    const url = await closing.listen({ host: "127.0.0.1", port: 0 });
    const inFlight = fetch(`${url}/v2/all-channels`).catch((error: unknown) => error);
    await entered;
    await closing.close();
    expect(await inFlight).toBeInstanceOf(TypeError);
  });
});

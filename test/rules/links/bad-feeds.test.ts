import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { boundTo } from "../../../src/listening.ts";
import { fetchFeed } from "../../../src/rules/links/fetch-feed.ts";

const megabyte = 2 ** 20;
let answer: (response: ServerResponse) => unknown;
// It does not hang up on a machine that is too busy to read on.
const server = createServer({ keepAliveTimeout: 120_000 }, (_, response) => answer(response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (timeoutMs = 60_000) =>
  fetchFeed({ url: `http://127.0.0.1:${boundTo(server).port}/`, allows: false, have: undefined, timeoutMs });

/** Sends a piece again and again, as fast as it is taken; gives how many bytes were. */
async function pour(response: ServerResponse, piece: string, megabytes: number): Promise<number> {
  let bytes = 0;
  function* pieces() {
    for (; bytes < megabytes * megabyte; bytes += piece.length) yield piece;
  }
  // Whoever leaves before the end is what this is about.
  await pipeline(Readable.from(pieces()), response).catch(() => {});
  return bytes;
}

describe("a feed that nobody should read", () => {
  it.each([
    ["one line", "x".repeat(64 * 1024)],
    ["lines that are no hosts", "there is nothing here\n".repeat(3000)],
    ["the same host", "evil.example\n".repeat(5000)],
  ])("of 100 MB of %s is left before its end", { timeout: 180_000 }, async (_, piece) => {
    let sent = Promise.resolve(0);
    answer = (response) => (sent = pour(response, piece, 100));
    const before = process.memoryUsage.rss();
    await expect(ask()).rejects.toThrow(/is larger than 64 MB|contains more than 2,000,000 addresses/);
    expect(await sent).toBeLessThan(75 * megabyte);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * megabyte);
  });

  it("that becomes 2 GB when it is unpacked is left before its end", { timeout: 60_000 }, async () => {
    const bomb = gzipSync(Buffer.alloc(64 * megabyte, "a.example\n"));
    answer = (response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" });
      // Parts that are packed each by itself are one packed whole.
      response.end(Buffer.concat(Array.from({ length: 32 }, () => bomb)));
    };
    const before = process.memoryUsage.rss();
    await expect(ask()).rejects.toThrow(/is larger than 64 MB|contains more than 2,000,000 addresses/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * megabyte);
  });

  it("of a million wrong lines is refused, and others go on meanwhile", { timeout: 60_000 }, async () => {
    answer = (response) => response.end("*\n".repeat(1_000_000));
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    await expect(ask()).rejects.toThrow("contains no address");
    clearInterval(others);
    expect(turns).toBeGreaterThan(3);
  });

  it("that is slow is given up", async () => {
    answer = async (response) => {
      while (!response.destroyed) {
        response.write("evil.example\n");
        await sleep(50);
      }
    };
    await expect(ask(400)).rejects.toThrow("did not arrive within");
  });

  it("that never answers is given up", async () => {
    answer = () => undefined;
    await expect(ask(300)).rejects.toThrow("did not arrive within");
  });

  it("that cannot be reached says so", async () => {
    await expect(fetchFeed({ url: "http://127.0.0.1:2/", allows: false, have: undefined })).rejects.toThrow(
      "cannot be reached (ECONNREFUSED)",
    );
  });

  it("of lists in lists without end is refused, and takes no memory", { timeout: 60_000 }, async () => {
    answer = (response) => pour(response, "[".repeat(64 * 1024), 20);
    const before = process.memoryUsage.rss();
    await expect(ask()).rejects.toThrow("is broken JSON");
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * megabyte);
  });
});

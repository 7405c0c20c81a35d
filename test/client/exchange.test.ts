import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { WireAnswer } from "../support/far-network.ts";
import { collectLog } from "../support/log.ts";
import { createFarClient, useFarNetwork } from "./far-client.ts";

const { far, network } = await useFarNetwork();
/** Soon takes an answer for one that never comes: on a busy machine also one that does. */
const impatient = createFarClient(far.url, { timeouts: { attempt: 4_000 } });

const done: WireAnswer = [200, { result: { success: true } }];
const empty: WireAnswer = [200, { result: { channels: [] } }];
const refusal = (reason: string) => ({ errors: [{ message: "Because.", reason }] });
const readAll = (from = network) => from.channels.all({});
/** The far side was asked so often by now, or is soon. */
const asked = (times: number) =>
  vi.waitFor(() => expect(far.requests.length).toBeGreaterThanOrEqual(times), {
    timeout: 60_000,
    interval: 5,
  });
const ban = (from = network) => from.channelBans.ban({ channelId: "memes", banFid: 7 });

describe("a read", () => {
  it.each<[string, WireAnswer]>([
    ["a dropped connection", "drop"],
    ["no answer in time", "hang"],
    ["429", [429, "slow down"]],
    ["500", [500, refusal("internal_error")]],
    ["502 from a proxy", [502, "<html>Bad Gateway</html>"]],
    ["503", [503, refusal("not_ready")]],
  ])("is repeated after %s", async (_, first) => {
    far.answer(first, empty);
    await expect(readAll(first === "hang" ? impatient : network)).resolves.toEqual({ channels: [] });
    expect(far.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409])("is not repeated after %i", async (status) => {
    far.answer([status, refusal("strange_reason")], empty);
    await expect(readAll()).rejects.toMatchObject({ status });
    expect(far.requests).toHaveLength(1);
  });

  it("is not repeated after 429 where it is for something that waits for no limit", async () => {
    const budget = {
      take: async (_: string, purpose: string | undefined) => purpose,
      waits: (purpose: string | undefined) => purpose !== "acts",
      noteRefusal: async () => {},
    };
    for (const purpose of ["acts", "channels"]) {
      far.answer([429, refusal("rate_limited"), { "retry-after": "1" }], empty);
      await readAll(createFarClient(far.url, { budget, purpose })).catch(() => {});
    }
    expect(far.requests).toHaveLength(3);
  });

  it("goes on after 429 even if that cannot be stored", async () => {
    const budget = {
      take: async () => undefined,
      waits: () => true,
      noteRefusal: async () => Promise.reject(new Error("the database went away")),
    };
    const { log, lines } = collectLog();
    far.answer([429, refusal("rate_limited"), { "retry-after": "1" }], empty);
    await expect(readAll(createFarClient(far.url, { budget, log }))).resolves.toEqual({ channels: [] });
    const warnings = lines.filter(({ level }) => Number(level) >= 40);
    expect(warnings).toMatchObject([{ msg: "could not store that the network refused a call" }]);
  });

  it("is given up after four attempts, with the last answer", async () => {
    far.answer([503, refusal("not_ready")]);
    await expect(readAll()).rejects.toMatchObject({ code: "not_ready", status: 503, message: "Because." });
    expect(far.requests).toHaveLength(4);
  });

  it("waits as long as Retry-After says", async () => {
    far.answer([429, refusal("rate_limited"), { "retry-after": "1" }], empty);
    // Timers of one process run in the order of their time.
    const shortlyBefore = sleep(900).then(() => far.requests.length);
    await readAll();
    expect([await shortlyBefore, far.requests.length]).toEqual([1, 2]);
  });

  it("does not wait beyond its deadline, and tells how long that would be", async () => {
    far.answer([429, refusal("rate_limited"), { "retry-after": "1800" }]);
    await expect(readAll()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1800 });
    expect(far.requests).toHaveLength(1);
  });

  it("is given up when its signal says so, also between attempts", async () => {
    const answers: WireAnswer[] = ["hang", [503, "", { "retry-after": "20" }]];
    for (const [index, answer] of answers.entries()) {
      far.answer(answer);
      const given = new AbortController();
      const reading = network.channels.all({}, { signal: given.signal });
      void asked(index + 1).then(async () => {
        await sleep(100);
        given.abort();
      });
      await expect(reading).rejects.toMatchObject({ code: "network_unreachable" });
      expect(given.signal.aborted).toBe(true);
    }
    expect(far.requests).toHaveLength(2);
  });
});

describe("a write", () => {
  it.each([429, 503])("is repeated after %i, for it was not begun", async (status) => {
    far.answer([status, ""], done);
    await expect(ban()).resolves.toEqual({ success: true });
    expect(far.requests).toHaveLength(2);
  });

  it.each<[string, WireAnswer, string]>([
    ["a dropped connection", "drop", "network_unreachable"],
    ["no answer in time", "hang", "network_unreachable"],
    ["500", [500, refusal("internal_error")], "network_failed"],
    ["504 from a proxy", [504, "<html>"], "network_failed"],
  ])("is not repeated after %s, for it may have happened", async (_, answer, code) => {
    far.answer(answer, done);
    const banning = ban(answer === "hang" ? impatient : network);
    await expect(banning).rejects.toMatchObject({ code, mayHaveHappened: true });
    expect(far.requests).toHaveLength(1);
  });

  it("has not happened where nobody listens", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    // A TCP server that listens has an address of this kind.
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const nowhere = createFarClient(`http://127.0.0.1:${port}`);
    await expect(nowhere.channelBans.ban({ channelId: "memes", banFid: 7 })).rejects.toMatchObject({
      code: "network_unreachable",
      mayHaveHappened: false,
      message: "The network cannot be reached (ECONNREFUSED).",
    });
  });

  it("has not happened where the other side speaks no TLS", async () => {
    const secure = createFarClient(far.url.replace("http:", "https:"));
    await expect(secure.channelBans.ban({ channelId: "memes", banFid: 7 })).rejects.toMatchObject({
      code: "network_unreachable",
      mayHaveHappened: false,
    });
    expect(far.requests).toHaveLength(0);
  });

  it("that was answered 503 may have happened, whatever keeps it from being asked again", async () => {
    far.answer([503, refusal("not_ready")], [429, refusal("rate_limited"), { "retry-after": "1800" }]);
    await expect(ban()).rejects.toMatchObject({ code: "not_ready" });
    far.answer([503, refusal("not_ready"), { "retry-after": "20" }]);
    const given = { signal: AbortSignal.timeout(5_000) };
    const givenUp = network.channelBans.ban({ channelId: "memes", banFid: 7 }, given);
    await expect(givenUp).rejects.toMatchObject({ code: "not_ready" });
    far.answer([503, refusal("not_ready")], [403, refusal("not_permitted")]);
    await expect(ban()).rejects.toMatchObject({ code: "not_permitted" });
  });

  it("that was refused has not happened", async () => {
    far.answer([403, refusal("not_permitted")]);
    await expect(ban()).rejects.toMatchObject({ code: "not_permitted", mayHaveHappened: false });
  });
});

describe("a redirect", () => {
  it("is an error, and the token goes no further", async () => {
    far.answer([307, "", { location: `${far.url}/elsewhere` }], done);
    await expect(ban()).rejects.toMatchObject({ code: "network_failed", status: 307 });
    expect(far.requests.map(({ path }) => path)).toEqual(["/fc/channel-bans"]);
  });
});

describe("an answer without end", () => {
  /** Sends spaces until nobody listens. */
  async function endless(): Promise<{
    url: string;
    sent: () => number;
    close: () => void;
  }> {
    let sent = 0;
    const server = createHttpServer((_, response) => {
      const space = Buffer.alloc(65_536, " ");
      const pour = () => {
        while (!response.destroyed && response.write(space)) sent += space.length;
      };
      response.writeHead(200).on("drain", pour);
      pour();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A TCP server that listens has an address of this kind.
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      sent: () => sent,
      close: () => server.close(),
    };
  }

  it("is given up at its limit, and not asked for again", async () => {
    const flood = await endless();
    const options = { answerLimit: 2 ** 20, timeouts: { attempt: 60_000 } };
    const reading = createFarClient(flood.url, options).channelBans.list({
      channelId: "memes",
    });
    await expect(reading).rejects.toMatchObject({
      code: "network_failed",
      message: "The network's response is larger than 1 MB and was not read.",
      mayHaveHappened: false,
    });
    expect(flood.sent()).toBeLessThan(32 * 2 ** 20);
    const all = createFarClient(flood.url, options).channels.all({});
    await expect(all).rejects.toThrow("larger than 4 MB");
    flood.close();
  });

  it("may be as large as the limit", async () => {
    const channels = JSON.stringify({ result: { channels: [] } });
    far.answer([200, channels.padEnd(2 ** 20)]);
    const patient = createFarClient(far.url, { answerLimit: 2 ** 20 });
    await expect(patient.channelBans.list({ channelId: "x" })).rejects.toThrow("cannot be read");
    await expect(patient.channels.all({})).resolves.toEqual({ channels: [] });
  });
});

it("Text of the network can be stored, whatever it holds", async () => {
  const text = JSON.stringify({
    errors: [{ message: "a\0b \ud83d c 😀", reason: "strange" }],
  });
  far.answer([403, text]);
  await expect(ban()).rejects.toMatchObject({ message: "ab \ufffd c 😀" });
});

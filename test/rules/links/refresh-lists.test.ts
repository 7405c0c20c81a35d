import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { boundTo } from "../../../src/listening.ts";
import { readKnownLists } from "../../../src/rules/links/known-lists.ts";
import { hasListsToRefresh, refreshLists } from "../../../src/rules/links/refresh-lists.ts";
import { describeList } from "../../../src/rules/links/describe-lists.ts";
import { readListRows } from "../../../src/rules/links/stored-lists.ts";
import { useWorld } from "../../support/test-cases.ts";
import { withSettings } from "../../support/world.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const bot = await useWorld();
let answer: Answer;
let asked: IncomingMessage["headers"][] = [];
const server = createServer((request, response) => {
  asked.push(request.headers);
  answer(request, response);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const origin = `http://127.0.0.1:${boundTo(server).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const named = (...lists: [name: string, path: string, allows?: boolean][]) =>
  withSettings(bot, {
    linkLists: {
      named: lists.map(([name, path, allows = false]) => ({ name, url: `${origin}${path}`, allows })),
      everySeconds: 3600,
    },
  });
const context = named(["wallets", "/bad"]);

const says =
  (text: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, headers).end(text);

async function find(host: string) {
  return (await readKnownLists(context)).find(host);
}

async function row() {
  return (await readListRows(bot.database.query))[0];
}

beforeEach(() => {
  asked = [];
  answer = says("evil.example\nbad.co.uk", { etag: '"one"' });
});

describe("lists of bad links", () => {
  it("are fetched where the operator names one, and asked for news an hour later", async () => {
    expect(await hasListsToRefresh(named())).toBe(false);
    await refreshLists(named());
    expect(asked).toEqual([]);
    expect(await hasListsToRefresh(context)).toBe(true);
    await refreshLists(context);
    expect(await find("a.b.evil.example")).toEqual({
      host: "a.b.evil.example",
      entry: "evil.example",
      list: "wallets",
    });
    expect(await find("notevil.example")).toBeUndefined();
    expect(await find("evil.example.com")).toBeUndefined();
    expect(await hasListsToRefresh(context)).toBe(false);
    bot.clock.advance(3599);
    expect(await hasListsToRefresh(context)).toBe(false);
    bot.clock.advance(1);
    expect(await hasListsToRefresh(context)).toBe(true);
  });

  it("are kept where they did not change, and are as new as that", async () => {
    await refreshLists(context);
    bot.clock.advance(3600);
    answer = (_, response) => void response.writeHead(304).end();
    await refreshLists(context);
    expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"one"']);
    expect(await row()).toMatchObject({ succeeded_at_ms: bot.clock.now(), error: null });
    expect(await find("evil.example")).toBeDefined();
  });

  it("are read anew where a part of them is gone, though the feed did not change", async () => {
    answer = ({ headers }, response) =>
      void (headers["if-none-match"] === '"one"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"one"' }).end("evil.example"));
    await refreshLists(context);
    await bot.database.query.deleteFrom("castellan.link_list_parts").execute();
    bot.clock.advance(3600);
    await refreshLists(context);
    expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, undefined]);
    expect(await find("evil.example")).toBeDefined();
    bot.clock.advance(3600);
    await refreshLists(context);
    expect(asked.at(-1)?.["if-none-match"]).toBe('"one"');
  });

  it("are replaced where they did, for whoever looks next", async () => {
    await refreshLists(context);
    expect(await find("evil.example")).toBeDefined();
    bot.clock.advance(3600);
    answer = says("other.example");
    await refreshLists(context);
    expect(await find("evil.example")).toBeUndefined();
    expect(await find("other.example")).toBeDefined();
    const parts = await bot.database.query.selectFrom("castellan.link_list_parts").select("part").execute();
    expect(parts).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ["answers an error", (_, response) => void response.writeHead(500).end(), "answers 500"],
    ["is a web page", says("evil.example", { "content-type": "text/html; charset=utf-8" }), "a web page"],
    ["is empty", says(""), "contains no address"],
    [
      "says that nothing changed since nothing",
      (_, response) => void response.writeHead(304).end(),
      "answers 304",
    ],
    [
      "redirects to what is not https",
      (_, response) => void response.writeHead(302, { location: "http://other.example/bad" }).end(),
      "redirects to an address that is not https",
    ],
    [
      "redirects to a file",
      (_, response) => void response.writeHead(302, { location: "file:///etc/hosts" }).end(),
      "redirects to an address that is not https",
    ],
    [
      "redirects without end",
      (_, response) => void response.writeHead(302, { location: "/bad" }).end(),
      "redirects without end",
    ],
    [
      "breaks off",
      (_, response) => {
        response.write("evil.example\n");
        response.destroy();
      },
      "cannot be reached",
    ],
  ])("say why where a feed %s, and it is asked again soon", async (_, given, why) => {
    answer = given;
    await refreshLists(context);
    expect(await row()).toMatchObject({ revision: 0, failures: 1, error: expect.stringContaining(why) });
    expect(await find("evil.example")).toBeUndefined();
    bot.clock.advance(60);
    answer = says("evil.example");
    await refreshLists(context);
    expect(await row()).toMatchObject({ failures: 0, error: null });
    expect(await find("evil.example")).toBeDefined();
  });

  it("go by what they had as long as a feed fails, which is asked ever more rarely", async () => {
    await refreshLists(context);
    const succeeded_at_ms = bot.clock.now();
    answer = (_, response) => void response.destroy();
    for (const wait of [3600, 60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      bot.clock.advance(wait - 1);
      expect(await hasListsToRefresh(context)).toBe(false);
      bot.clock.advance(1);
      await refreshLists(context);
    }
    expect(await row()).toMatchObject({ succeeded_at_ms, failures: 9 });
    expect(await find("evil.example")).toBeDefined();
  });

  it("follow redirects on this machine", async () => {
    answer = ({ url }, response) =>
      void (url === "/bad"
        ? response.writeHead(301, { location: "/moved" }).end()
        : response.writeHead(200).end("evil.example"));
    await refreshLists(context);
    expect(await find("evil.example")).toBeDefined();
  });

  it("cannot call bad what everybody links to, and say what they left out", async () => {
    await refreshLists(context);
    bot.clock.advance(3600);
    answer = says(
      "evil.example\nfarcaster.xyz\n*.warpcast.com\n0.0.0.0 www.google.com\nhttps://GOOGLE.com/\nbad.google.com",
    );
    await refreshLists(context);
    for (const host of ["farcaster.xyz", "warpcast.com", "google.com", "www.google.com", "docs.google.com"]) {
      expect(await find(host)).toBeUndefined();
    }
    expect(await find("a.evil.example")).toBeDefined();
    expect(await find("bad.google.com")).toMatchObject({ entry: "bad.google.com" });
    const stored = await row();
    expect(stored).toMatchObject({
      left_out: ["farcaster.xyz", "warpcast.com", "google.com"],
      skipped: 0,
      error: null,
    });
    expect(stored && describeList(stored)).toContain(
      "2 bad, left out: farcaster.xyz and warpcast.com and google.com (everybody links there)",
    );
    bot.clock.advance(3600);
    answer = says("farcaster.xyz");
    await refreshLists(context);
    expect((await row())?.error).toBe("contains only sites that everybody uses");
    expect(await find("evil.example")).toBeDefined();
    expect(await find("farcaster.xyz")).toBeUndefined();
  });

  it("can allow what everybody links to", async () => {
    answer = ({ url }, response) =>
      void response.end(url === "/good" ? "google.com" : "bad.google.com\nevil.example");
    await refreshLists(named(["wallets", "/bad"], ["ours", "/good", true]));
    expect(await find("bad.google.com")).toBeUndefined();
    expect((await readListRows(bot.database.query)).map(({ left_out }) => left_out)).toEqual([[], []]);
  });

  it("have nothing to say against what another list allows", async () => {
    answer = ({ url }, response) =>
      void response.end(url === "/good" ? "good.example" : "evil.good.example\nevil.example");
    await refreshLists(named(["wallets", "/bad"], ["ours", "/good", true]));
    expect(await find("evil.good.example")).toBeUndefined();
    expect(await find("evil.example")).toBeDefined();
  });

  it("are gone with their name, or when the name stands for another address", async () => {
    await refreshLists(context);
    expect(await find("evil.example")).toBeDefined();
    answer = says("other.example");
    await refreshLists(named(["wallets", "/other"]));
    expect(asked.at(-1)?.["if-none-match"]).toBeUndefined();
    expect(await find("evil.example")).toBeUndefined();
    await refreshLists(named());
    expect(await find("other.example")).toBeUndefined();
    expect(await bot.database.query.selectFrom("castellan.link_list_parts").selectAll().execute()).toEqual(
      [],
    );
  });

  it("of many hosts are read and loaded whole", async () => {
    answer = says(Array.from({ length: 100_000 }, (_, index) => `bad${index}.example`).join("\n"));
    await refreshLists(context);
    expect(await row()).toMatchObject({ hosts: 100_000 });
    const { find: look } = await readKnownLists(context);
    const missing = Array.from({ length: 100_000 }, (_, index) => `bad${index}.example`).filter(
      (host) => !look(host),
    );
    expect(missing).toEqual([]);
    expect(look("bad100000.example")).toBeUndefined();
  });
});

// @ts-nocheck
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type InterfaceNetwork,
  range,
  refused,
  startInterfaceNetwork,
} from "../support/interface-network.ts";

let network: InterfaceNetwork;

const action = (name: string) => ({
  name,
  icon: "zap",
  description: `Does ${name}`,
  aboutUrl: `https://${name}.test/about`,
  actionUrl: `https://${name}.test/action`,
  action: { actionType: "post", postUrl: `https://${name}.test/post` },
});
const composer = (name: string) => ({ ...action(name), imageUrl: `https://${name}.test/logo.png` });

beforeAll(async () => {
  network = await startInterfaceNetwork();
  await network.import({
    actions: [
      { ...action("few"), totalUsers: 3 },
      { ...action("many"), totalUsers: 70 },
      { ...action("some"), totalUsers: 20 },
    ],
    composerActions: [
      { ...composer("few"), totalUsers: 3, featuredRank: 1 },
      { ...composer("many"), totalUsers: 70 },
      { ...composer("some"), totalUsers: 20, featuredRank: 2 },
    ],
  });
});
afterAll(() => network.close());

const answered = (...actions: object[]) => ({ status: 200, body: { result: { actions } } });
const read = (path: string, query: object) => network.call(`GET /v2/${path}`, query);

describe("GET /v2/discover-actions", () => {
  it("top: by users, most first, with the fields of an action alone", async () => {
    expect(await read("discover-actions", { list: "top" })).toEqual(
      answered(action("many"), action("some"), action("few")),
    );
  });

  it.each([{}, { list: "featured" }, { list: "" }, { list: "TOP" }])("refuses %j", async (query) => {
    expect(await read("discover-actions", query)).toEqual(refused(400, "invalid_request"));
  });
});

describe("GET /v2/discover-composer-actions", () => {
  it("top: by users, most first, with a logo", async () => {
    expect(await read("discover-composer-actions", { list: "top" })).toEqual(
      answered(composer("many"), composer("some"), composer("few")),
    );
  });

  it("featured: those that were chosen, in the order chosen", async () => {
    expect(await read("discover-composer-actions", { list: "featured" })).toEqual(
      answered(composer("few"), composer("some")),
    );
  });

  it.each([{}, { list: "new" }])("refuses %j", async (query) => {
    expect(await read("discover-composer-actions", query)).toEqual(refused(400, "invalid_request"));
  });
});

describe.each([
  ["discover-actions", "top", ["many", "some", "few"]],
  ["discover-composer-actions", "top", ["many", "some", "few"]],
  ["discover-composer-actions", "featured", ["few", "some"]],
])("pages of GET /v2/%s, %s", (path, list, names) => {
  it.each(range(1, 3))("of %i hold each once and in order", async (limit) => {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await read(path, { list, limit, ...(cursor && { cursor }) });
      const page = body as { result: { actions: { name: string }[] }; next?: { cursor: string } };
      seen.push(...page.result.actions.map(({ name }) => name));
      cursor = page.next?.cursor;
    } while (cursor && seen.length < 10);
    expect(seen).toEqual(names);
  });
});

it("a cursor of one list is none of another", async () => {
  const { body } = await read("discover-composer-actions", { list: "top", limit: 1 });
  const { cursor } = (body as { next: { cursor: string } }).next;
  expect(await read("discover-composer-actions", { list: "featured", cursor })).toEqual(
    refused(400, "invalid_cursor"),
  );
});

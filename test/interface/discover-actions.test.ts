import { describe, expect, it } from "vitest";
import {
  cursorOf,
  readPages,
  recordsOf,
  range,
  refused,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const action = (name: string) => ({
  name,
  icon: "zap",
  description: `Does ${name}`,
  aboutUrl: `https://${name}.test/about`,
  actionUrl: `https://${name}.test/action`,
  action: { actionType: "post", postUrl: `https://${name}.test/post` },
});
const composer = (name: string) => ({ ...action(name), imageUrl: `https://${name}.test/logo.png` });

const network = await useInterfaceNetwork();
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
    const pages = await readPages(network, `GET /v2/${path}`, { list }, limit);
    expect(pages.flatMap(recordsOf).map((action) => action["name"])).toEqual(names);
  });
});

it("a cursor of one list is none of another", async () => {
  const cursor = cursorOf(await read("discover-composer-actions", { list: "top", limit: 1 }));
  expect(await read("discover-composer-actions", { list: "featured", cursor })).toEqual(
    refused(400, "invalid_cursor"),
  );
});

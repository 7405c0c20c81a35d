import { expect, it } from "vitest";
import { summarizeMistakes } from "../../src/cli/summarize-mistakes.ts";
import type { Mistake } from "../../src/errors.ts";

const names = (count: number): Mistake[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `/accounts/${index}/username`,
    message: "is too long",
  }));

it("tells a systematic mistake once, with the first three and how many more there are", () => {
  const one = { path: "/channels/0/url", message: "is missing" };
  expect(summarizeMistakes([...names(2), one, ...names(700)])).toEqual([
    "/accounts/0/username is too long",
    "/accounts/1/username is too long",
    "/accounts/0/username is too long",
    "/accounts/*/username and 699 more like these",
    "/channels/0/url is missing",
  ]);
});

it("takes those that differ in a number or a name only for one kind", () => {
  const mentions = Array.from({ length: 9 }, (_, index) => ({
    path: `/casts/${index}/fid`,
    message: `there is no account ${index}, neither in the file nor in the network`,
  }));
  expect(summarizeMistakes(mentions)).toHaveLength(4);
});

it("counts those that were not listed", () => {
  const [first, ...more] = names(1000);
  const listed = [{ path: "", message: "", ...first, count: 48_536 }, ...more];
  const last = { path: "", message: "and 47,539 more", count: 47_539 };
  expect(summarizeMistakes([...listed, last])).toEqual([
    "/accounts/0/username is too long",
    "/accounts/1/username is too long",
    "/accounts/2/username is too long",
    "/accounts/*/username and 48,533 more like these",
    "and 3 more",
  ]);
});

it("leaves few mistakes as they are", () => {
  expect(summarizeMistakes([{ path: "PORT", message: "must be a number" }])).toEqual([
    "PORT must be a number",
  ]);
});

import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { answerLife } from "../../src/discord/late-answer.ts";
import { promptLife } from "../../src/discord/prompts.ts";

/** A page of docs, as one line. */
const read = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8").replaceAll(/\s+/g, " ");

test.each([
  ["history", `${parseConfig({}).HISTORY_DAYS} days (\`HISTORY_DAYS\``],
  ["buttons", `they work ${promptLife.confirm / 60_000} minutes`],
  ["answers", `An answer that took longer than ${answerLife / 60_000} minutes`],
])("The privacy page says how long with the program's own number: %s", (_, sentence) => {
  expect(read("guide/privacy")).toContain(sentence);
});

it("links the terms to the privacy page, and the operator's guide to both, for Discord's form", () => {
  expect(read("guide/terms")).toContain("[Privacy](privacy.md), with how long, and how it is erased");
  expect(read("operate/public-bot")).toContain(
    "[Terms](../guide/terms.md) and [privacy](../guide/privacy.md)",
  );
});

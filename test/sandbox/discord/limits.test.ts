import { afterAll, describe, expect, test } from "vitest";
import { sendRaw, startTestDiscord, type RawAnswer } from "../../support/discord.ts";
import { clockOf } from "../../support/world.ts";

let now = 1_800_000_000_000;

// Each request comes a minute after the last, so that no bucket is ever full.
const discord = await startTestDiscord({ clock: clockOf(() => (now += 60_000)) });

afterAll(() => discord.stop());

const text = (length: number) => "x".repeat(length);
const button = (fields: object = {}) => ({ type: 2, style: 1, label: "Yes", custom_id: "yes", ...fields });
const row = (...components: object[]) => ({ type: 1, components });
const select = (fields: object = {}) => ({
  type: 3,
  custom_id: "pick",
  options: [{ label: "One", value: "1" }],
  ...fields,
});
const v2 = (...components: object[]) => ({ flags: 1 << 15, components });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const buttons = (count: number) => many(count, (index) => button({ custom_id: `b${index}` }));

/** What is wrong, the body, and where Discord says so; null for what is still right. */
const messages: [string, object, string | null][] = [
  ["2,000 characters pass", { content: text(2000) }, null],
  ["2,001 characters", { content: text(2001) }, "content"],
  ["ten embeds pass", { embeds: many(10, () => ({ title: "t" })) }, null],
  ["eleven embeds", { embeds: many(11, () => ({ title: "t" })) }, "embeds"],
  [
    "6,001 characters of embeds",
    { embeds: [{ description: text(4000) }, { description: text(2001) }] },
    "embeds",
  ],
  [
    "6,000 characters of embeds pass",
    { embeds: [{ description: text(4000) }, { description: text(2000) }] },
    null,
  ],
  ["five rows pass", { components: many(5, (index) => row(button({ custom_id: `${index}` }))) }, null],
  ["six rows", { components: many(6, (index) => row(button({ custom_id: `${index}` }))) }, "components"],
  ["six buttons in a row", { components: [row(...buttons(6))] }, "components.0.components"],
  ["a button outside of a row", { components: [button()] }, "components.0.type"],
  ["a text display without the v2 flag", { components: [{ type: 10, content: "t" }] }, "components.0.type"],
  ["a custom id twice", { components: [row(button(), button())] }, "components.0.components.1.custom_id"],
  ["a menu beside a button", { components: [row(select(), button())] }, "components.0.components"],
  ["40 components pass", v2(...many(40, () => ({ type: 10, content: "t" }))), null],
  ["41 components", v2(...many(41, () => ({ type: 10, content: "t" }))), "components"],
  [
    "4,001 characters of text displays",
    v2({ type: 10, content: text(4000) }, { type: 10, content: "t" }),
    "components",
  ],
  ["content beside components v2", { ...v2({ type: 10, content: "t" }), content: "c" }, "content"],
  ["embeds beside components v2", { ...v2({ type: 10, content: "t" }), embeds: [{ title: "t" }] }, "embeds"],
  ["a nonce of 26", { content: "c", nonce: text(26) }, "nonce"],
  [
    "parse and list of the same kind",
    { content: "c", allowed_mentions: { parse: ["users"], users: ["1"] } },
    "allowed_mentions",
  ],
  [
    "an attachment without its file",
    { content: "c", attachments: [{ id: 0, filename: "a" }] },
    "attachments.0.id",
  ],
];

/** The same of one embed, and of one component in a row. */
const embeds: [string, object, string][] = [
  ["a title of 257", { title: text(257) }, "title"],
  ["a description of 4,097", { description: text(4097) }, "description"],
  ["26 fields", { fields: many(26, () => ({ name: "n", value: "v" })) }, "fields"],
  ["a field without a value", { fields: [{ name: "n", value: "" }] }, "fields.0.value"],
  ["a field's value of 1,025", { fields: [{ name: "n", value: text(1025) }] }, "fields.0.value"],
  ["a footer of 2,049", { footer: { text: text(2049) } }, "footer.text"],
  ["a link to a script", { title: "t", url: "javascript:alert(1)" }, "url"],
];
const inRow: [string, object, string][] = [
  ["a custom id of 101", button({ custom_id: text(101) }), "custom_id"],
  ["a button's label of 81", button({ label: text(81) }), "label"],
  ["a button without label", button({ label: undefined }), "label"],
  ["a link button with a custom id", button({ style: 5, url: "https://a.example" }), "custom_id"],
  ["a link button without address", { type: 2, style: 5, label: "Go" }, "url"],
  ["26 options", select({ options: many(26, (index) => ({ label: "l", value: `${index}` })) }), "options"],
  ["a value twice", select({ options: many(2, () => ({ label: "l", value: "v" })) }), "options.1.value"],
  ["more values than options", select({ max_values: 2 }), "max_values"],
];

describe("a message", () => {
  test.each([
    ...messages,
    ...embeds.map(([what, embed, path]) => [what, { embeds: [embed] }, `embeds.0.${path}`] as const),
    ...inRow.map(([what, part, path]) => {
      return [what, { components: [row(part)] }, `components.0.components.0.${path}`] as const;
    }),
  ])("%s", async (_, body, path) => {
    const answer = await sendRaw(discord, "POST", `/channels/${discord.rooms.general}/messages`, body);
    expect(mistakes(answer)).toEqual(at(path));
  });

  test.each([["nothing"], ["only blanks"]])("%s is an empty message", async (kind) => {
    const body = kind === "nothing" ? {} : { content: "  \n " };
    const answer = await sendRaw(discord, "POST", `/channels/${discord.rooms.general}/messages`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 50006 } });
  });
});

const option = (fields: object = {}) => ({ type: 3, name: "user", description: "d", ...fields });
const command = (fields: object = {}) => ({ name: "ban", description: "d", ...fields });
const options = (...list: object[]) => command({ options: list });

const commands: [string, object, string | null][] = [
  ["a plain one passes", command(), null],
  ["upper case", command({ name: "Ban" }), "0.name"],
  ["a blank in its name", command({ name: "ban add" }), "0.name"],
  ["a name of 33", command({ name: text(33) }), "0.name"],
  ["letters of other scripts pass", command({ name: "забанить" }), null],
  ["no description", command({ description: undefined }), "0.description"],
  ["a description of 101", command({ description: text(101) }), "0.description"],
  [
    "names and descriptions in other languages pass",
    command({
      name_localizations: { de: "bannen", ja: "バン" },
      description_localizations: { "es-419": text(100) },
    }),
    null,
  ],
  ["upper case in German", command({ name_localizations: { de: "Bannen" } }), "0.name_localizations.de"],
  [
    "a language that Discord does not have",
    command({ description_localizations: { xx: "d" } }),
    "0.description_localizations",
  ],
  ["26 options", options(...many(26, (index) => option({ name: `o${index}` }))), "0.options"],
  ["an option's name twice", options(option(), option()), "0.options.1.name"],
  ["required after optional", options(option(), option({ name: "b", required: true })), "0.options.1"],
  [
    "a subcommand beside an option",
    options({ type: 1, name: "add", description: "d" }, option()),
    "0.options",
  ],
  [
    "a group in a group",
    options({
      type: 2,
      name: "a",
      description: "d",
      options: [{ type: 2, name: "b", description: "d", options: [] }],
    }),
    "0.options.0.options.0.type",
  ],
  [
    "a description on a message command",
    { type: 3, name: "Hide this cast", description: "d" },
    "0.description",
  ],
  ["a message command with blanks passes", { type: 3, name: "Hide this cast" }, null],
  ["8,001 characters in all", sized(8001), "0"],
  ["8,000 characters in all pass", sized(8000), null],
  ["8,001 characters in another language", { ...sized(8000), description_localizations: { de: "dd" } }, "0"],
];

const choices = many(26, (index) => ({ name: `${index}`, value: `${index}` }));
/** The same of a command's only option. */
const inOption: [string, object, string][] = [
  [
    "a description of 101 in German",
    { description_localizations: { de: text(101) } },
    "description_localizations.de",
  ],
  ["26 choices", { choices }, "choices"],
  ["a choice's value of 101", { choices: [{ name: "n", value: text(101) }] }, "choices.0.value"],
  ["a number as the choice of a text", { choices: [{ name: "n", value: 1 }] }, "choices.0.value"],
  ["choices and autocomplete", { autocomplete: true, choices: [{ name: "n", value: "v" }] }, "autocomplete"],
  ["autocomplete for a person", { type: 6, autocomplete: true }, "type"],
];

/** A command of so many characters, from 7,811 to 8,010: 39 choices of 200 each, and one that brings the rest. */
function sized(total: number): object {
  const long = many(39, (index) => ({
    name: `${index}`.padEnd(100, "n"),
    value: `${index}`.padEnd(100, "v"),
  }));
  const rest = { name: text(total - 7810 - 100), value: text(100) };
  return options(
    option({ name: "o1", choices: long.slice(0, 25) }),
    option({ name: "o2", choices: [...long.slice(25), rest] }),
  );
}

describe("a command", () => {
  test.each([
    ...commands,
    ...inOption.map(
      ([what, fields, path]) => [what, options(option(fields)), `0.options.0.${path}`] as const,
    ),
  ])("%s", async (_, body, path) => {
    const answer = await sendRaw(discord, "PUT", `/applications/${discord.applicationId}/commands`, [body]);
    expect(mistakes(answer)).toEqual(at(path));
  });

  test("two of one name", async () => {
    const answer = await sendRaw(discord, "PUT", `/applications/${discord.applicationId}/commands`, [
      command(),
      command(),
    ]);
    expect(mistakes(answer)).toEqual(at("1.name"));
  });

  test("101 slash commands", async () => {
    const list = many(101, (index) => command({ name: `c${index}` }));
    const answer = await sendRaw(discord, "PUT", `/applications/${discord.applicationId}/commands`, list);
    expect(mistakes(answer)).toEqual(at(""));
  });
});

/** Where Discord found mistakes; nowhere, where it took the body. */
function mistakes({ status, body }: RawAnswer): string[] {
  return status === 200 ? [] : errorPaths(body.errors);
}

const at = (path: string | null): unknown => (path === null ? [] : expect.arrayContaining([path]));

function errorPaths(node: unknown, path: string[] = []): string[] {
  return Object.entries(node ?? {}).flatMap(([key, below]) =>
    key === "_errors" ? [path.join(".")] : errorPaths(below, [...path, key]),
  );
}

test("a refusal has Discord's code, and is kept as a violation, with its path", async () => {
  const refused = await sendRaw(discord, "POST", `/channels/${discord.rooms.general}/messages`, {
    embeds: [{ title: text(257) }],
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 50035, message: "Invalid Form Body" } });
  const paths = discord.context.violations.map(({ issues }) => issues[0]?.path.join("."));
  expect(paths).toContain("embeds.0.title");
  expect(discord.context.violations.length).toBeGreaterThan(40);
});

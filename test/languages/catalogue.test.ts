import { describe, expect, test } from "vitest";
import { commands, menuCommands } from "../../commands/index.ts";
import { isForEveryone } from "../../src/discord/needs.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { en, type Texts } from "../../src/languages/en.ts";
import { languageCodes, textsFor, translations } from "../../src/languages/languages.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import { countPoints } from "../../src/text/message-text.ts";

type Leaf = string | ((...values: unknown[]) => string);

/** Every text by its path ("reports.first"). */
function listTexts(texts: object, path = ""): [path: string, text: Leaf][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, Leaf][] => {
    const here = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object" && value !== null) return listTexts(value, here);
    return [[here, value as Leaf]]; // a catalogue holds nothing but texts and functions that make them
  });
}

/** Small enough for no language to separate the digits, and different from all numbers in the texts. */
const markers = [701, 702, 703, 704];
/** Its parameter is a number of seconds, which it shows as minutes. */
const isRounded = (path: string) => path === "ago";

/** A text with each parameter replaced by a value. */
function fill(text: Leaf, values: readonly unknown[]): string {
  return typeof text === "string" ? text : text(...values);
}

const paths = listHandlers(commands).map(([path]) => path);

/** The commands in a text, by their whole paths; undefined for one that does not exist. */
function commandsNamed(text: string): (string | undefined)[] {
  const written = text.match(/(?<![\w/])\/[a-z]+(?: [a-z]+)?/g) ?? [];
  return written.map((one) => paths.find((path) => one === `/${path}` || one.startsWith(`/${path} `)));
}

const languages: [locale: string, texts: Texts][] = [["en-US", en], ...translations];
const source = listTexts(en);

describe.each(languages)("in %s", (_, texts) => {
  const all = new Map(listTexts(texts));

  test("names the menu with which a post is reported as Discord shows it", () => {
    expect(texts.reports.unseen("/memes")).toContain(`› ${texts.menuNames.Report}`);
  });

  test("has every text, and none is empty", () => {
    expect([...all.keys()].toSorted()).toEqual(source.map(([path]) => path).toSorted());
    const empty = [...all].filter(([, text]) => fill(text, markers).trim() === "");
    expect(empty).toEqual([]);
  });

  test("each text uses each of its parameters", () => {
    const missing = source.flatMap(([path, english]) => {
      if (typeof english === "string" || isRounded(path)) return [];
      const given = markers.slice(0, english.length);
      const shown = fill(all.get(path) ?? "", given);
      return given.filter((one) => !shown.includes(String(one))).map((one) => `${path}: ${one}`);
    });
    expect(missing).toEqual([]);
  });

  test("names the same options and commands as in English", () => {
    const codes = (text: string) => text.match(/`[^`]+`|(?<![\w/])\/[a-z]+(?: [a-z]+)?|\bU\+0000/g) ?? [];
    const commandsIn = (text: string) =>
      codes(text).filter((one) => /^(?:`|\/(?:appeal|case show|setup link)|U)/.test(one));
    // "/appeal" may be followed by a word.
    const named = (text: Leaf) =>
      new Set(commandsIn(fill(text, markers)).map((one) => one.replace(/^(\/appeal) .*/, "$1")));
    for (const [path, english] of source) {
      if (path === "appeals.several" || path.startsWith("posts.")) continue;
      expect([path, named(all.get(path) ?? "")]).toEqual([path, named(english)]);
    }
  });

  test("of posts names the same commands as in English, all of which exist", () => {
    for (const [path, english] of source.filter(([name]) => name.startsWith("posts."))) {
      const named = commandsNamed(fill(english, markers));
      expect([path, named.filter((name) => name === undefined)]).toEqual([path, []]);
      expect([path, new Set(commandsNamed(fill(all.get(path) ?? "", markers)))]).toEqual([
        path,
        new Set(named),
      ]);
    }
  });

  test("labels buttons of posts within Discord's limit, with a mark for the post", () => {
    const kind = Object.values(texts.posts.cases.kinds).reduce((a, b) => (a.length > b.length ? a : b));
    const labels = listTexts(texts.posts.buttons).map(([, label]) => fill(label, [kind, "C-2147483647"]));
    const tooLong = labels.filter((label) => countPoints(`① ${label}`) > discordLimits.buttonLabel);
    expect(tooLong).toEqual([]);
  });

  test("fits Discord's limits with long values", () => {
    const long = "x".repeat(40);
    const limitOf = (path: string) => {
      const [group, name = ""] = path.split(".");
      if (group === "descriptions" || group === "topics") return discordLimits.choice;
      if (group === "menuNames") return 32;
      if (path === "reports.reasonLabel") return discordLimits.formLabel;
      // The case's number follows in the menu.
      if (group === "appeals" && ["ban", "hide"].includes(name))
        return discordLimits.choice - ", C-2147483647".length;
      if (path === "appeals.which" || path === "menus.whichOne") return discordLimits.placeholder;
      if (/title|sent$/i.test(name) || group === "notices" || ["granted", "declined"].includes(name))
        return discordLimits.title;
      return discordLimits.fieldValue;
    };
    const tooLong = [...all].filter(([path, text]) => {
      const values = isRounded(path) ? [long.length] : [long, long, long];
      return countPoints(fill(text, values)) > limitOf(path);
    });
    expect(tooLong.map(([path]) => path)).toEqual([]);
  });
});

describe("plurals", () => {
  test.each([
    ["en-US", ["0 minutes", "a minute", "2 minutes", "5 minutes"]],
    ["es-419", ["0 minutos", "un minuto", "2 minutos", "5 minutos"]],
    // Portuguese counts none as singular.
    ["pt-BR", ["0 minuto", "1 minuto", "2 minutos", "5 minutos"]],
    ["de", ["0 Minuten", "einer Minute", "2 Minuten", "5 Minuten"]],
    ["ja", ["0分後", "1分後", "2分後", "5分後"]],
  ])("of minutes in %s", (locale, expected) => {
    const texts = textsFor(locale);
    for (const [index, count] of [0, 1, 2, 5].entries())
      expect(texts.reports.tooManyOwn(9, count)).toMatch(new RegExp(`(?<!\\d)${expected[index]}(?![a-z])`));
  });

  test.each([
    ["en-US", ["other 0 commands are", "Another command is", "other 2 commands are", "other 5 commands are"]],
    ["es-ES", ["otros 0 comandos", "otro comando", "otros 2 comandos", "otros 5 comandos"]],
    ["pt-BR", ["mais 0 comando", "mais 1 comando", "outros 2 comandos", "outros 5 comandos"]],
    [
      "de",
      ["anderen 0 Befehle sind", "weiterer Befehl ist", "anderen 2 Befehle sind", "anderen 5 Befehle sind"],
    ],
    ["ja", ["0個のコマンド", "1個のコマンド", "2個のコマンド", "5個のコマンド"]],
  ])("of commands in %s", (locale, expected) => {
    const texts = textsFor(locale);
    for (const [index, count] of [0, 1, 2, 5].entries())
      expect(texts.help.forModerators(count)).toContain(expected[index]);
  });
});

test("says in German one more channel, and several", () => {
  const { andMore } = textsFor("de").reports;
  expect([1, 2].map((count) => andMore("/memes", count))).toEqual([
    "/memes und 1 weiterer",
    "/memes und 2 weitere",
  ]);
});

test.each([
  ["en-US", "0 casts hidden", "1 cast hidden", "2 casts hidden"],
  ["es-ES", "0 casts ocultos", "1 cast oculto", "2 casts ocultos"],
  ["pt-BR", "0 cast oculto", "1 cast oculto", "2 casts ocultos"],
  ["de", "0 Casts ausgeblendet", "1 Cast ausgeblendet", "2 Casts ausgeblendet"],
  ["ja", "キャスト0件を非表示", "キャスト1件を非表示", "キャスト2件を非表示"],
])("counts in %s in posts", (locale, ...expected) => {
  expect([0, 1, 2].map(textsFor(locale).posts.cases.counted.hide)).toEqual(expected);
});

test.each([
  ["en-US", "5 s ago", "12 min ago", "3 h ago", "3 days ago"],
  ["de", "vor 5 Sek.", "vor 12 Min.", "vor 3 Std.", "vor 3 Tagen"],
  ["ja", "5 秒前", "12 分前", "3 時間前", "3 日前"],
])("says in %s how long ago something was", (locale, ...expected) => {
  const { ago } = textsFor(locale);
  expect([5, 725, 10_900, 3 * 86_400].map(ago)).toEqual(expected);
});

test.each(["xx", "en-GB", "fr", "constructor", ""])("%s is answered in English", (locale) => {
  expect(textsFor(locale)).toBe(en);
});

test("every language can be named by its code", () => {
  const codes = new Set(languages.map(([, { locale }]) => locale));
  expect([...codes].toSorted()).toEqual(languageCodes.toSorted());
  for (const code of languageCodes) expect(textsFor(code).locale).toBe(code);
});

describe("for Discord", () => {
  const forEveryone = commands.filter((command) =>
    listHandlers([command]).some(([, { needs }]) => isForEveryone(needs)),
  );

  test("describes in each language what every member can use, with the English of the command", () => {
    const described = forEveryone.flatMap((command) => [
      ...("subcommands" in command ? [[command.name, command.description] as const] : []),
      ...listHandlers([command])
        .filter(([, { needs }]) => isForEveryone(needs))
        .flatMap(([path, { description, options }]) => [
          [path, description] as const,
          ...Object.entries(options).map(
            ([name, option]) => [`${path}:${name}`, option.description] as const,
          ),
        ]),
    ]);
    expect(Object.fromEntries(described)).toEqual(en.descriptions);
  });

  test("names in each language the menus that every member can use", () => {
    const open = new Set(
      listHandlers(commands).flatMap(([path, { needs }]) => (isForEveryone(needs) ? [path] : [])),
    );
    const names = menuCommands.filter(({ path }) => open.has(path)).map(({ name }) => name);
    expect(names).toEqual(Object.keys(en.menuNames));
  });
});

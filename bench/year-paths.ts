import { commands } from "../commands/index.ts";
import { readOperations } from "../src/console/api/read-operations.ts";
import { exportCasesFor } from "../src/console/export-cases.ts";
import { readBulksFor } from "../src/console/read-bulks.ts";
import { listCasesFor, readCaseFilters } from "../src/console/read-cases.ts";
import { readFound } from "../src/console/read-found.ts";
import { readQueue } from "../src/console/read-queue.ts";
import { readRules, readVersions } from "../src/console/read-rules.ts";
import { viewCase } from "../src/console/view-case.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import type { Handler, RawValues } from "../src/discord/command.ts";
import { listHandlers } from "../src/discord/find-handler.ts";
import { readArguments } from "../src/discord/run-command.ts";
import { readInstallation } from "../src/metrics/read-installation.ts";
import { observeStatus } from "../src/observe/observe-status.ts";
import { eraseAuthor } from "../src/retention/erase-author.ts";
import { firstAnswer } from "../test/support/confirmed.ts";
import { actors, commandOf, parts, rows, type Person } from "../test/support/rights.ts";
import { seededOptions, working, type SeededRights } from "../test/support/seed-rights.ts";
import { commandContext, type World } from "../test/support/world.ts";
import { channel, listWork, type Path } from "./year-work.ts";

const iso = (bot: World, daysAgo: number) => new Date(bot.clock.now() - daysAgo * 86_400_000).toISOString();

/** Everything that the program does, in the largest server and for all of them. */
export async function listPaths(bot: World): Promise<Path[]> {
  const seeded = await findSeeded(bot);
  return [
    ...listReadings(bot, await findNumber(bot)),
    ...listCommands(bot, seeded),
    ...listSuggestions(bot),
    ...listWork(bot),
    ["history erase", () => eraseAuthor(bot, 1_000_050)],
  ];
}

async function findSeeded({ database }: World): Promise<SeededRights> {
  const find = async (statement: string) => {
    const { rows: found } = await database.pool.query<{ guild: string; id: number; tag: string }>(statement);
    return found.map(({ guild, ...row }): [string, { id: number; tag: string }] => [guild, row]);
  };
  const feeds = await find(
    "select guild_id as guild, id, '' as tag from castellan.feeds where room_id = guild_id",
  );
  const items = await find(
    "select guild_id as guild, id, tag from castellan.review_items where rule_id = 'scam' and id < 1000",
  );
  const strikes = await find(
    "select guild_id as guild, id, '' as tag from castellan.strikes where given_by = '1'",
  );
  const ids = (all: typeof feeds) => new Map(all.map(([guild, { id }]) => [guild, id]));
  return { feeds: ids(feeds), items: new Map(items), strikes: ids(strikes) };
}

/** Of a case somewhere in the year. */
async function findNumber({ database }: World): Promise<number> {
  const { number } = await database.query
    .selectFrom("castellan.cases")
    .select("number")
    .where("guild_id", "=", working)
    .where("channel_id", "=", channel)
    .where("number", ">", 1000)
    .orderBy("number")
    .limit(1)
    .executeTakeFirstOrThrow();
  return number;
}

const as = (bot: World, person: Person): CommandContext =>
  commandContext(bot, {
    userId: "",
    guildId: working,
    roomId: working,
    roleIds: [],
    managesServer: false,
    ...actors[person],
  });

/** What people list and search, with each filter, and what the console and the API show of it. */
function listReadings(bot: World, number: number): Path[] {
  const context = as(bot, "managing owner");
  const cases: Record<string, string>[] = [
    {},
    { user: "7" },
    { moderator: "201" },
    { rule: "rule8" },
    { action: "hide" },
    { action: "unpin" },
    { state: "failed" },
    { state: "not_settled" },
    { since: "1d" },
    { since: iso(bot, 200), until: iso(bot, 199) },
    { until: iso(bot, 364) },
    { words: "spam" },
    { words: "site42" },
    { words: "zebra" },
    { words: "zebra", action: "unpin" },
    { words: "gm", moderator: "201" },
  ];
  const casts: Record<string, string>[] = [
    {},
    { user: "7" },
    { user: "1000777" },
    { text: "gm" },
    { text: "zebra" },
    { link: "site42.example" },
    { since: "1d" },
    { since: iso(bot, 200), until: iso(bot, 199) },
    { text: "zebra", since: iso(bot, 200) },
  ];
  type Typed = Record<string, string>;
  const each = (name: string, of: Typed[], run: (typed: Typed) => Promise<unknown>) =>
    of.flatMap((typed): Path[] => [[`${name} ${JSON.stringify(typed)}`, () => run({ channel, ...typed })]]);
  const run = (path: string, typed: RawValues) => runCommand(context, path, typed);
  return [
    ["metrics", () => readInstallation(bot)],
    ["status of sources", () => observeStatus(bot)],
    ["console queue", () => readQueue(context, {})],
    ["console bulks", () => readBulksFor(context, {})],
    ["console rules", () => readRules(context, {})],
    ["console versions", () => readVersions(context, {})],
    ["console filters", () => readCaseFilters(context, { channel })],
    ["console case", () => viewCase(context, channel, number)],
    ...each("console cases", cases, (typed) => listCasesFor(context, typed)),
    ...each("console export", cases, (typed) => exportCasesFor(context, "csv", typed)),
    ...each("case show", cases, (typed) => run("case show", typed)),
    ...each("console find", casts, (typed) => readFound(context, typed)),
    ...each("find", casts, (typed) => run("find", typed)),
    ["find everywhere", () => run("find", { text: "zebra" })],
    ["find a user everywhere", () => run("find", { user: "7" })],
    ["stats", () => run("stats", { channel })],
    ["stats of a year", () => run("stats", { since: iso(bot, 364) })],
    ["who", () => run("who", { user: "7" })],
    ["who else", () => run("who", { user: "1000005" })],
    ["audit", () => run("audit", {})],
    ["rule test", () => run("rule test", { channel, days: 30 })],
    ["rule suggest", () => run("rule suggest", { channel })],
    ["hide many", () => preview(context, "hide", { channel, since: "1d" })],
    ["hide words", () => preview(context, "hide", { channel, text: "zebra" })],
    ["ban many", () => preview(context, "ban", { channel, text: "site42" })],
    ["undo rule", () => preview(context, "undo", { channel, what: "rule:rule8", since: iso(bot, 30) })],
    ["undo person", () => preview(context, "undo", { channel, what: "fid 7" })],
    ...readOperations.map((operation): Path => [
      `API ${operation.id}`,
      () =>
        operation.run(
          context,
          operation.input.parse(
            Object.fromEntries(
              Object.entries({ channel, number: String(number), fid: 7, user: "7" }).filter(
                ([name]) => name in operation.input.shape,
              ),
            ),
          ),
        ),
    ]),
  ];
}

const handlers = new Map(listHandlers(commands));

function listCommands(bot: World, seeded: SeededRights): Path[] {
  return Object.entries({ ...rows, ...parts }).flatMap(([name, row]): Path[] => {
    const [person] = row.allowed;
    const path = commandOf(name);
    // Bulks would take minutes, and are previewed above.
    if (!person || path === "setup unlink" || name.includes("bulk")) return [];
    const raw = seededOptions(seeded, name, working);
    const options = "channel" in (handlers.get(path)?.options ?? {}) ? { channel, ...raw } : raw;
    return [[`/${name}`, () => runCommand(as(bot, person), path, options, row.typed)]];
  });
}

/** Types a command that would do much, and does not confirm it. */
async function preview(context: CommandContext, path: string, typed: RawValues): Promise<void> {
  const handler = handlers.get(path);
  if (handler?.kind !== "confirm") throw new Error(`/${path} asks nothing`);
  await handler.preview(context, await readArguments(context, handler.options, typed));
}

/** Types a command and confirms it. */
async function runCommand(
  context: CommandContext,
  path: string,
  typed: RawValues,
  form: Record<string, string> = {},
): Promise<unknown> {
  const handler: Handler | undefined = handlers.get(path);
  if (!handler) throw new Error(`no /${path}`);
  const args = await readArguments(context, handler.options, typed);
  switch (handler.kind) {
    case "answer":
      return handler.run(context, args);
    case "listing":
      for (let page = 0, cursor: string | undefined; page < 3; page += 1) {
        const { next } = await handler.page(context, args, cursor);
        if (next === undefined) return undefined;
        cursor = next;
      }
      return undefined;
    case "confirm": {
      const { state } = firstAnswer(await handler.preview(context, args));
      return state === undefined ? undefined : handler.act(context, state);
    }
    case "form": {
      const opened = await handler.open(context, args);
      if (!("state" in opened)) return undefined;
      const { state } = firstAnswer(await handler.preview(context, opened.state, form));
      return state === undefined ? undefined : handler.act(context, state);
    }
  }
}

function listSuggestions(bot: World): Path[] {
  const context = as(bot, "managing owner");
  return [...handlers].flatMap(([path, { options }]) =>
    Object.entries(options).flatMap(([option, { suggest }]): Path[] =>
      suggest
        ? ["", "u", "user9", "99", "gm site", "zz"].map((typed): Path => [
            `suggestions of /${path} ${option}: “${typed}”`,
            () => suggest(typed, context, { channel }),
          ])
        : [],
    ),
  );
}

import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { listHeld } from "../../commands/help/list-held.ts";
import { commands } from "../../commands/index.ts";
import type { Handler } from "../../src/discord/command.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { isMet } from "../../src/discord/needs.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { asAppError } from "../../src/errors.ts";
import { reviewDecisions } from "../../src/reviews/decide-item.ts";
import { firstAnswer } from "../support/confirmed.ts";
import { commandContext, createWorld } from "../support/world.ts";
import {
  actors,
  buttons,
  cases,
  caseSources,
  commandOf,
  persons,
  rows,
  parts,
  type Person,
  type Row,
} from "../support/rights.ts";
import { seededOptions, seedRights, suspended, unlinked, working } from "../support/seed-rights.ts";
import { everybody, suggestedElsewhere, suggestions } from "../support/suggestion-rights.ts";

const bot = await createWorld();
afterAll(() => bot.database.close());
beforeEach(() => seed());

const seeded = await seedRights(bot);
const restore = await bot.database.keep();
/** Whether somebody was allowed something since: what was refused has changed nothing. */
let used = false;

async function seed(): Promise<void> {
  if (!used) return;
  await restore();
  // What suggestions remember of rights is older than this.
  bot.clock.advance(10);
  used = false;
}

const as = (person: Person, guildId: string): CommandContext =>
  commandContext(bot, {
    userId: "",
    guildId,
    roomId: guildId,
    roleIds: [],
    managesServer: false,
    ...actors[person],
  });

/** Whether it was allowed; fails for anything but a right that is missing. */
async function isAllowed(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    used = true;
    return true;
  } catch (error) {
    if (asAppError(error, "not_allowed", "not_proven", "not_linked")) return false;
    throw error;
  }
}

/** Handlers decide by themselves: here each of them declares that everybody may use it everywhere. */
const handlers = new Map(
  listHandlers(commands).map(([path, handler]): [string, Handler] => [
    path,
    { ...handler, needs: "everyone", console: true },
  ]),
);

for (const path of Object.keys(parts)) {
  const handler = handlers.get(commandOf(path));
  if (handler) handlers.set(path, handler);
}

/** Types a command; gives what it keeps for Confirm. */
async function type(path: string, person: Person, guildId: string): Promise<unknown> {
  const handler = handlers.get(path);
  const row = rows[path] ?? parts[path];
  if (!handler || !row) throw new Error(`no /${path}`);
  const context = as(person, guildId);
  const raw = seededOptions(seeded, path, guildId);
  const args = await readArguments(context, handler.options, raw);
  switch (handler.kind) {
    case "answer":
      return void (await handler.run(context, args));
    case "listing":
      return void (await handler.page(context, args, undefined));
    case "confirm":
      return firstAnswer(await handler.preview(context, args)).state;
    case "form": {
      const opened = await handler.open(context, args);
      if (!("state" in opened)) throw new Error("no form was opened");
      return firstAnswer(await handler.preview(context, opened.state, row.typed ?? {})).state;
    }
  }
}

/** Clicks Confirm, or fills in the form of another. */
function confirm(path: string, person: Person, guildId: string, state: unknown): Promise<unknown> {
  const handler = handlers.get(path);
  if (handler?.kind !== "confirm" && handler?.kind !== "form") throw new Error(`/${path} asks nothing`);
  return handler.act(as(person, guildId), state);
}

const exhaustible = new Set(["setup unlink", "setup webhooks", "feed add", "feed remove", "undo strike"]);

describe("the table", () => {
  test("tries only commands that there are, and every button and suggestion", () => {
    expect(Object.keys(cases).filter((path) => !handlers.has(path))).toEqual([]);
    const answering = commands.filter(({ onButton }) => onButton).map(({ name }) => name);
    expect(new Set(Object.keys(buttons).map((key) => key.split(" ")[0]))).toEqual(new Set(answering));
    for (const decision of reviewDecisions) {
      expect(Object.keys(buttons)).toEqual(
        expect.arrayContaining([`review ${decision}`, `review ${decision}-sure`]),
      );
    }
    expect(suggested().filter(({ allowed }) => !allowed)).toEqual([]);
  });

  test("lets strangers use three commands, and click nothing but their own question away", () => {
    const open = (table: Record<string, Row>) =>
      Object.keys(table).filter((key) => table[key]?.allowed.includes("stranger"));
    expect(open(rows).toSorted()).toEqual(["appeal", "help", "report"]);
    expect(open(buttons)).toEqual(["review keep"]);
  });

  test("lets nobody click anything else who lacks what the buttons declare", () => {
    const beyond = Object.entries(buttons).flatMap(([key, { allowed }]) => {
      const declared = commands.find(({ name }) => name === key.split(" ")[0])?.onButton?.needs;
      const lacks = (person: Person) => !declared || !isMet(declared, caseSources(person, "working"));
      return key === "review keep" ? [] : allowed.filter(lacks).map((person) => [key, person]);
    });
    expect(beyond).toEqual([]);
  });
});

test.each([
  ["working", working],
  ["suspended", suspended],
  ["unlinked", unlinked],
] as const)("/help knows what everybody holds where the only link is %s", async (place, guildId) => {
  for (const person of persons) {
    expect([person, await listHeld(as(person, guildId))]).toEqual([person, caseSources(person, place)]);
  }
});

describe.each(Object.entries({ ...rows, ...parts }))("/%s", (path, row) => {
  test.each([
    [working, row.allowed],
    [suspended, row.suspended ?? []],
    [unlinked, row.unlinked ?? []],
  ])("in server %s is for exactly those whom the table names", async (guildId, allowed) => {
    const found: Person[] = [];
    let state: unknown;
    for (const person of persons) {
      if (exhaustible.has(path)) await seed();
      const kept = type(path, person, guildId);
      if (!(await isAllowed(kept))) continue;
      found.push(person);
      state ??= await kept;
    }
    expect(found).toEqual(persons.filter((person) => allowed.includes(person)));
    if (state === undefined) return;
    if (exhaustible.has(path)) await seed();
    for (const person of persons.filter((one) => !allowed.includes(one))) {
      expect([person, await isAllowed(confirm(path, person, guildId, state))]).toEqual([person, false]);
    }
    const [first = "owner"] = found;
    expect(await isAllowed(confirm(path, first, guildId, state))).toBe(true);
  });
});

/** Where a server's settings are stored. */
const settingsTables = [
  "api_tokens",
  "automod_pauses",
  "capabilities",
  "feeds",
  "ignored_reporters",
  "lockdowns",
  "notice_templates",
  "rule_sets",
  "rules_in_force",
  "saved_reasons",
  "time_zones",
  "webhooks",
];

async function readSettings(): Promise<unknown[]> {
  const tables = settingsTables.map((table) =>
    sql`select to_jsonb(one) as row from ${sql.table(`castellan.${table}`)} as one order by 1`.execute(
      bot.database.query,
    ),
  );
  return (await Promise.all(tables)).map(({ rows: found }) => found);
}

const changing = Object.entries(parts).filter(([, { setup }]) => setup);

describe.each([...Object.entries(rows), ...changing])("/%s", (path, { allowed, setup, after }) => {
  const [person] = allowed;
  test.runIf(person)(`is kept for /audit: ${setup ?? "not, it changes nothing of the setup"}`, async () => {
    used = true;
    await seed();
    const actor = person ?? "owner";
    const run = async (what: string) => {
      const state = await type(what, actor, working);
      if (state !== undefined) await confirm(what, actor, working, state);
      used = true;
    };
    if (after !== undefined) await run(after);
    const kept = () => bot.database.query.selectFrom("castellan.setup_changes").selectAll().execute();
    const before = new Set((await kept()).map(({ id }) => id));
    const settings = await readSettings();
    await run(path);
    // A new command that changes one of these has to record it, too.
    expect(setup === undefined ? await readSettings() : settings).toEqual(settings);
    const added = (await kept()).filter(({ id }) => !before.has(id));
    expect(added.map(({ kind, by_user }) => [kind, by_user])).toEqual(
      setup === undefined ? [] : [[setup, actors[actor]?.userId]],
    );
  });
});

describe.each(Object.entries(buttons))("the button %s", (key, row) => {
  test.each([
    [working, row.allowed],
    [suspended, row.suspended ?? []],
  ])("in server %s is for exactly those whom the table names", async (guildId, allowed) => {
    const [name, deed = ""] = key.split(" ");
    const onButton = commands.find((command) => command.name === name)?.onButton;
    const found: Person[] = [];
    for (const person of persons) {
      await seed();
      const words = [name === "setup" ? "memes" : (seeded.items.get(guildId)?.tag ?? ""), deed];
      if (onButton && (await isAllowed(onButton.click(as(person, guildId), words)))) found.push(person);
    }
    expect(found).toEqual(persons.filter((person) => allowed.includes(person)));
  });
});

function suggested() {
  const typed = [...handlers].filter(([path]) => !(path in parts));
  return typed.flatMap(([path, { options }]) =>
    Object.entries(options).flatMap(([option, { suggest }]) =>
      suggest
        ? [
            {
              key: `${path} ${option}`,
              suggest,
              allowed: suggestions[`${path} ${option}`] ?? suggestions[`* ${option}`],
            },
          ]
        : [],
    ),
  );
}

test.each(suggested())(
  "suggestions of /$key are for exactly those whom the table names",
  async ({ key, suggest, allowed = [] }) => {
    const offered = async (guildId: string) => {
      const found: Person[] = [];
      for (const person of persons) {
        if ((await suggest("", as(person, guildId), {})).length > 0) found.push(person);
      }
      return found;
    };
    expect(await offered(working)).toEqual(persons.filter((person) => allowed.includes(person)));
    if (allowed === everybody) return;
    const elsewhere = suggestedElsewhere[key] ?? {};
    expect(await offered(suspended)).toEqual(elsewhere.suspended ?? []);
    expect(await offered(unlinked)).toEqual(elsewhere.unlinked ?? []);
  },
);

import { afterAll, describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { press, run } from "../../src/console/run-button.ts";
import { findHandler, listHandlers } from "../../src/discord/find-handler.ts";
import { encodeCustomId } from "../../src/text/custom-id.ts";
import { commandContext, createWorld } from "../support/world.ts";
import { actors, persons, type Person } from "../support/rights.ts";
import { seedRights, suspended, unlinked, working } from "../support/seed-rights.ts";

/*
 * What /help and the console offer to whom. Both follow from what each command declares that it needs: a changed
 * declaration shows here as a changed snapshot, which is reviewed like any change of rights.
 */

const bot = await createWorld();
afterAll(() => bot.database.close());
await seedRights(bot);

const as = (person: Person, guildId: string) =>
  commandContext(bot, {
    userId: "",
    guildId,
    roomId: guildId,
    roleIds: [],
    managesServer: false,
    ...actors[person],
  });

/** What /help answers a person: what stands above the fields, and each field as `show` writes it. */
async function askHelp(
  person: Person,
  guildId: string,
  { about, show }: { about?: string; show: (value: string) => string },
): Promise<string> {
  const handler = findHandler(commands, "help");
  if (handler?.kind !== "answer") throw new Error("no /help");
  const { embeds = [] } = await handler.run(as(person, guildId), { about });
  const lines = embeds.flatMap(({ description = "", fields = [] }) => [
    description,
    ...fields
      .filter(({ name }) => name !== "Good to know")
      .map(({ name, value }) => `${name}: ${show(value)}`),
  ]);
  return lines.join("\n");
}

/** The commands of a field, without what each of them does. */
const onlyCommands = (value: string) => (value.match(/<\/[a-z ]+>/g) ?? []).join(" ");

describe("/help", () => {
  test.each([
    ["the channel works", working],
    ["the only link is suspended", suspended],
    ["nothing is linked", unlinked],
  ])("offers in a server where %s", async (_, guildId) => {
    const answers = new Map<string, Person[]>();
    for (const person of persons) {
      const text = await askHelp(person, guildId, { show: onlyCommands });
      answers.set(text, [...(answers.get(text) ?? []), person]);
    }
    const told = [...answers].map(([text, people]) => `# ${people.join(", ")}\n${text}`);
    expect(told.join("\n\n")).toMatchSnapshot();
  });

  test("explains each group by itself", async () => {
    const handler = findHandler(commands, "help");
    const groups = (handler?.options["about"]?.choices ?? []).map(({ value }) => String(value));
    const told: string[] = [];
    for (const about of groups) told.push(await askHelp("managing owner", working, { about, show: String }));
    expect(told.join("\n\n")).toMatchSnapshot();
  });
});

describe("the console", () => {
  const paths = listHandlers(commands).map(([path]) => path);

  test("runs only these commands", async () => {
    const refused: string[] = [];
    for (const path of paths) {
      const error: unknown = await run(as("stranger", unlinked), path, {}).catch((error: unknown) => error);
      if (String(error).includes("The console does not have that command")) refused.push(path);
    }
    expect(paths.filter((path) => !refused.includes(path)).toSorted()).toMatchSnapshot();
  });

  test("answers only these buttons", async () => {
    const answered: string[] = [];
    for (const { name } of commands) {
      const customId = encodeCustomId({ kind: "command", command: name, words: ["x", "y"] });
      const error: unknown = await press(as("stranger", unlinked), customId).catch((error: unknown) => error);
      if (!String(error).includes("This button works only in Discord")) answered.push(name);
    }
    expect(answered).toEqual(["review"]);
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeEach, expect, it } from "vitest";
import { applyRules, diffRules } from "../../src/cli/apply-rules.ts";
import { findRules, listVersions } from "../../src/rules/versions/rules-of-server.ts";
import { offerRuleFiles } from "../../src/start/offer-rule-files.ts";
import { rule, ruleFile } from "../support/rules.ts";
import { linkGuild } from "../support/world.ts";
import { said, serveTasks } from "../support/serve-tasks.ts";
import { storedEvents } from "../support/stored.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();
const { config, folder, close } = await serveTasks((health) => offerRuleFiles(health, bot));
const file = join(folder, "rules.json");
const server = "900";
afterAll(() => close());

beforeEach(async () => {
  await bot.net.seed.channel("memes", { owner: 1 });
  await linkGuild(bot, "memes", server);
});

const apply = () => said((out) => applyRules(config, { file, server }, out));
const write = (source: unknown) =>
  writeFile(file, typeof source === "string" ? source : JSON.stringify(source));

it("puts a file in force as the operator's version, once, and says what it changes before and after", async () => {
  await write({ version: 1, lists: { words: { type: "text", values: ["gm"] } }, rules: [rule()] });
  const differs: boolean[] = [];
  const diff = () => said(async (out) => void differs.push(await diffRules(config, { file, server }, out)));
  expect(await diff()).toBe("Compared with version 0:\n  + rule scam (enforce)\n  + list words: 1\n");
  expect(await findRules(bot, server)).toBeUndefined();
  expect(await apply()).toBe("Version 1 is in force:\n  + rule scam (enforce)\n  + list words: 1\n");
  expect(await diff()).toBe(`${file}: nothing would change in version 1.\n`);
  expect(await apply()).toBe(`${file}: version 1 has these rules already.\n`);
  expect(differs).toEqual([true, false]);

  await write({
    version: 1,
    defaults: { exempt: ["owner"] },
    lists: { words: { type: "text", values: ["GM", "gn"] } },
    rules: [rule({ mode: "shadow", priority: 3 }), rule({ id: "new" })],
  });
  expect(await apply()).toBe(`Version 2 is in force:
  + rule new (enforce)
  ~ rule scam (enforce → shadow): mode, priority
  ~ list words: +1 -0
  ~ exempt: owner
`);
  await write(`# ours\n${ruleFile([])}`);
  expect(await apply()).toContain("- rule scam (shadow)\n  - rule new (enforce)\n  - list words\n");
});

it("is remembered and announced as done by the operator", async () => {
  await write(ruleFile([rule()]));
  await apply();
  const [version] = await listVersions(bot.database.query, server, 5);
  expect(version).toMatchObject({ version: 1, change: "rules apply", saved_by: "operator" });
  const audited = await bot.database.query.selectFrom("castellan.setup_changes").selectAll().execute();
  expect(audited.map(({ kind, by_user }) => [kind, by_user])).toEqual([["rules", "operator"]]);
  const events = await storedEvents(bot.database, "rules.changed");
  expect(events).toMatchObject([{ kind: "rules.changed", data: { guildId: server, userId: "operator" } }]);
});

it("says when only the form differs", async () => {
  await write(ruleFile([rule()]));
  await apply();
  await write(`# ours\n${ruleFile([rule()])}`);
  expect(await apply()).toContain("Version 2 is in force:\n  ~ only comments, order or form\n");
});

it("refuses mistakes, servers without a link, another token and a server that is not Castellan", async () => {
  await write("version: 1\nrules: 3");
  await expect(apply()).rejects.toMatchObject({
    code: "invalid_file",
    mistakes: [{ path: "line 2, column 8:" }],
  });
  await write(ruleFile([rule({ when: { "text.length": { lt: 0 } } })]));
  await expect(apply()).rejects.toThrow("cannot work as written");
  await write(ruleFile([rule()]));
  await expect(applyRules(config, { file, server: "901" }, new PassThrough())).rejects.toThrow(
    "No channel is linked in the server 901.",
  );
  await expect(applyRules(config, { file, server: "memes" }, new PassThrough())).rejects.toThrow(
    "The body must be",
  );
  const stranger = { ...config, OPERATOR_TOKEN: "wrong" };
  await expect(applyRules(stranger, { file, server }, new PassThrough())).rejects.toThrow("operator's token");
  expect(await findRules(bot, server)).toBeUndefined();
});

import { expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { readText } from "../../src/rules/text/rule-text.ts";
import { castRow } from "../support/rules.ts";
import { useWorld } from "../support/test-cases.ts";
import { commandContext, people, verifyDiscord } from "../support/world.ts";

const bot = await useWorld();
const hash = `0x${"7".repeat(40)}`;

/** The phrase that "Add to blocklist…" offers for a cast with this text. */
async function offered(text: string): Promise<string> {
  await verifyDiscord(bot, people.owner, "1001");
  const row = castRow(hash, { fid: people.troll, text });
  await bot.database.query.insertInto("castellan.casts").values(row).execute();
  const actor = { userId: "1001", guildId: "g1", roomId: "1", roleIds: [], managesServer: true };
  const context = commandContext(bot, actor);
  const handler = findHandler(commands, "list add");
  if (handler?.kind !== "confirm") throw new Error("it asks nothing");
  const args = await readArguments(context, handler.options, { cast: hash });
  const { question } = await handler.preview(context, args);
  const [form] = question?.changes.flatMap((change) => ("form" in change ? [change.form] : [])) ?? [];
  return form?.fields["values"]?.value ?? "";
}

test.each([
  ["one line", "Free airdrop today", "Free airdrop today"],
  ["several lines", "gm\n  Claim your  airdrop now \r\nbye", "Claim your  airdrop now"],
  ["a long line", "claim it ".repeat(100), "claim it ".repeat(100).slice(0, 500)],
  ["a long line without spaces", `x${"😀".repeat(400)}`, `x${"😀".repeat(249)}`],
])("what is offered to be blocked of a cast with %s stands in it", async (_, text, phrase) => {
  expect(await offered(text)).toBe(phrase);
  expect(readText(text).folded).toContain(readText(phrase).folded);
});

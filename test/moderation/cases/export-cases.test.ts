import { expect, it } from "vitest";
import { exportCases, toCaseFile } from "../../../src/moderation/cases/export-cases.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { people } from "../../support/world.ts";
import { useWorld } from "../../support/test-cases.ts";

const bot = await useWorld();

const scope = { guildId: "g1", channelId: "memes" };

async function propose(publicReason: string): Promise<void> {
  const ban = {
    ...scope,
    kind: "ban" as const,
    targetFid: people.troll,
    actor: { userId: "123456789012345678" },
    publicReason,
  };
  await bot.database.transaction((tx) => proposeCase(tx, bot.clock, ban));
}

it("gives every case a line, in which nothing is a formula and nothing ends a cell too soon", async () => {
  const reasons = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "＝1",
    ' =cmd|"calc"',
    'plain, "quoted"\nand long',
  ];
  for (const reason of reasons) await propose(reason);
  const { rows, isWhole } = await exportCases(bot.database.query, scope);
  expect([rows.length, isWhole]).toEqual([reasons.length, true]);
  const csv = toCaseFile("csv", rows.toReversed());
  expect(csv.split("\r\n")[0]).toMatch(/^\ufeffnumber,action,state/);
  expect(csv).toContain(`,"'123456789012345678",`);
  for (const reason of reasons.slice(0, -1)) expect(csv).toContain(`"'${reason.replaceAll('"', '""')}"`);
  expect(csv).toContain('"plain, ""quoted""\nand long"');
  const read = toCaseFile("jsonl", rows)
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(read).toEqual(rows);
  expect(read[0]).toMatchObject({ number: "C-8", subject_fid: people.troll, reason: reasons.at(-1) });
});

it("goes on after its first batch", async () => {
  await bot.database.transaction(async (tx) => {
    for (let index = 0; index < 501; index += 1) {
      const ban = { ...scope, kind: "ban" as const, targetFid: 1000 + index, actor: { userId: "100" } };
      await proposeCase(tx, bot.clock, ban);
    }
  });
  const { rows } = await exportCases(bot.database.query, scope);
  expect(new Set(rows.map(({ number }) => number)).size).toBe(501);
});

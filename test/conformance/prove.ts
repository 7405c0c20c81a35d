/** `npm run conformance:proof`: breaks ten rules, one after the other, in a copy, and shows which rows turn red. */
import { copyProject, type Copy } from "../support/broken-copy.ts";
import { type BrokenRule, brokenRules } from "./broken-rules.ts";
import { runRows } from "./run-rows.ts";

async function redRows(copy: Copy, broken: BrokenRule): Promise<string[]> {
  const found = await copy.withFault(broken, () => runRows(copy.root, { files: [broken.rows] }));
  return found.filter(({ state }) => state === "failed").map(({ group, title }) => `${group} · ${title}`);
}

const copy = await copyProject();
let unnoticed = 0;
for (const broken of brokenRules) {
  const red = await redRows(copy, broken);
  if (red.length === 0) unnoticed += 1;
  const shown = red.slice(0, 4).map((row) => `    red: ${row}\n`);
  const more = red.length > 4 ? `    and ${red.length - 4} more\n` : "";
  process.stdout.write(
    `${red.length > 0 ? "noticed  " : "UNNOTICED"} ${broken.rule}\n${shown.join("")}${more}`,
  );
}
await copy.remove();
process.stdout.write(`\n${brokenRules.length - unnoticed} noticed, ${unnoticed} not\n`);
process.exit(unnoticed === 0 ? 0 : 1);

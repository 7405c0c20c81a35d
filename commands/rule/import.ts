import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { attachment, text } from "../../src/discord/option.ts";
import { colors } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { findRules } from "../../src/rules/rules-of-server.ts";
import { openRules } from "./open-rules.ts";
import { previewImport } from "./preview-import.ts";
import { readAttachedFile } from "./read-file.ts";
import { putInForce } from "./put-in-force.ts";
import { rehearseChange } from "./rehearse-change.ts";

export const importRules = confirm({
  description: "Replace the server's rules by a file, YAML or JSON; shows what would change first",
  options: {
    file: attachment({ description: "The file" }),
    text: text({ description: "Or the rules themselves", maxLength: 6000 }),
  },
  confirmLabel: "Put in force",
  state: z.object({ source: z.string(), baseVersion: z.int() }),
  async preview(context, { file, text: typed }) {
    const linked = await openRules(context, "change");
    if ((file === undefined) === (typed === undefined)) {
      throw new AppError("invalid_input", "Attach a file, or give the rules as text: one of the two.");
    }
    const source = file ? await readAttachedFile(file) : (typed ?? "");
    const after = parseRules(source);
    const before = await findRules(context.database.query, context.asker.guildId);
    const view = previewImport(before?.ruleSet, after, linked);
    if (view) {
      const rehearsed = await rehearseChange(context, linked, before?.ruleSet, after);
      const state = { source, baseVersion: before?.version ?? 0 };
      return { view: { embeds: [...(view.embeds ?? []), rehearsed] }, state };
    }
    return { view: { embeds: [{ description: "These rules are in force already.", color: colors.plain }] } };
  },
  async act(context, { source, baseVersion }) {
    await openRules(context, "change");
    return putInForce(context, { source, baseVersion, change: "import" });
  },
});

// @ts-nocheck
import { confirm } from "../../src/discord/command.ts";
import { attachment, text } from "../../src/discord/option.ts";
import { AppError } from "../../src/errors.ts";
import { openRules } from "./open-rules.ts";
import { ProposedRules, proposeRules } from "./propose-rules.ts";
import { putInForce } from "./put-in-force.ts";
import { readAttachedFile } from "./read-file.ts";

export const importRules = confirm({
  description: "Replace the server's rules by a file, YAML or JSON; shows what would change first",
  options: {
    file: attachment({ description: "The file" }),
    text: text({ description: "Or the rules themselves", maxLength: 6000 }),
  },
  confirmLabel: "Put in force",
  state: ProposedRules,
  async preview(context, { file, text: typed }) {
    await openRules(context, "change");
    if ((file === undefined) === (typed === undefined)) {
      throw new AppError("invalid_input", "Attach a file, or give the rules as text: one of the two.");
    }
    return proposeRules(context, file ? await readAttachedFile(file) : (typed ?? ""), "import");
  },
  async act(context, proposed) {
    await openRules(context, "change");
    return putInForce(context, proposed);
  },
});

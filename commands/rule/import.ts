import { attachment, confirm, text } from "../../src/discord/command.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { ProposedRules, proposeRules, putRulesInForce } from "./change-rules.ts";
import { readAttachedRules } from "./rule-arguments.ts";

export const importRules = confirm({
  description: "Replace the server's rules with a file (YAML or JSON); first shows what would change",
  needs: "rules",
  options: {
    file: attachment({ description: "The file" }),
    text: text({
      description: "Or the rules as JSON (Discord puts pasted text on one line)",
      maxLength: 6000,
    }),
  },
  confirmLabel: "Put in force",
  state: ProposedRules,
  async preview(context, { file, text: typed }) {
    await authorizeRules(context, context.actor);
    if ((file === undefined) === (typed === undefined)) {
      throw new AppError("invalid_input", "Attach a file or give the rules as text, not both.");
    }
    const source = file ? await readAttachedRules(file) : (typed ?? "");
    try {
      return await proposeRules(context, source, "import");
    } catch (error) {
      throw isPastedYaml(typed, error) ? pastedYaml(error) : error;
    }
  },
  act: putRulesInForce,
});

/** Discord removes line breaks from a pasted text, and YAML needs them. */
function isPastedYaml(typed: string | undefined, error: unknown): boolean {
  const oneLine = typed !== undefined && !typed.includes("\n") && !typed.trimStart().startsWith("{");
  return oneLine && asAppError(error, "invalid_file") !== undefined;
}

function pastedYaml(cause: unknown): AppError {
  return new AppError(
    "invalid_file",
    "Text pasted into a command ends up on one line, but YAML needs its line breaks. Attach the rules as a file, or paste JSON.",
    { cause },
  );
}

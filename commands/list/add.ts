import { confirm, oneOf, text } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import type { ListType } from "../../src/rules/language/rule-list.ts";
import { usualLists } from "../../src/rules/starter/rule-of-list.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { ProposedRules } from "../rule/change-rules.ts";
import { optionalCast } from "../shared/options.ts";
import { suggestCastsFor } from "../shared/suggestions.ts";
import { refuseUseless } from "../shared/targets.ts";
import { askWhatToBlock } from "./block.ts";
import { proposeAddition, putListInForce } from "./change-list.ts";
import { newListOption, readType, readValues, typeChoices } from "./list-arguments.ts";
import { findReadable } from "../rule/rule-arguments.ts";

export const addToList = confirm({
  description:
    "Add links, phrases or people, also of a cast, to a list of rules; first shows what it would match",
  needs: "rules",
  console: true,
  options: {
    list: newListOption,
    values: text({
      description: "A link, a phrase, or people by fid, @name or profile link",
      maxLength: 4000,
    }),
    type: oneOf(typeChoices, { description: "Type of a new list" }),
    cast: optionalCast(
      "Or a cast: asks whether to block a link, a phrase or the author",
      suggestCastsFor({ visible: "rules", hidden: "rules" }),
    ),
  },
  confirmLabel: "Add it",
  state: ProposedRules,
  async preview(context, { list: typed, values, type: word, cast }) {
    if (cast) {
      refuseUseless({ list: typed, values, type: word }, "does not go with `cast`");
      return askWhatToBlock(context, cast);
    }
    if (typed === undefined || values === undefined)
      throw new AppError("invalid_input", "Fill in `list` and `values`, or `cast`.");
    await authorizeRules(context, context.actor);
    const name = typed.trim().toLowerCase();
    const given = word && readType(word);
    const type = (await findReadable(context))?.ruleSet.lists.get(name)?.type ?? given ?? usualType(name);
    if (type === undefined) {
      throw new AppError(
        "invalid_input",
        `There is no list ${inlineCode(name, 40)} yet. Choose its type: links, phrases, people or names.`,
      );
    }
    if (given !== undefined && given !== type)
      throw new AppError(
        "invalid_input",
        `The list ${inlineCode(name, 40)} has another type. Leave the type out.`,
      );
    const read = await readValues(context, type, values);
    return proposeAddition(context, { name, type, values: read });
  },
  act: putListInForce,
});

function usualType(name: string): ListType | undefined {
  const types: readonly ListType[] = ["domain", "text", "fid", "name"];
  return types.find((type) => usualLists[type] === name);
}

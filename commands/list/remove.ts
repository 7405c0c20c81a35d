import { confirm, text } from "../../src/discord/command.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { compareAs } from "../../src/rules/language/rule-list.ts";
import { ProposedRules } from "../rule/change-rules.ts";
import { proposeRemoval, putListInForce } from "./change-list.ts";
import { listOption, readValues, requireList, suggestValues } from "./list-arguments.ts";
import { findReadable } from "../rule/rule-arguments.ts";

export const removeFromList = confirm({
  description: "Remove links, phrases or people from a list that rules use",
  needs: "rules",
  console: true,
  options: {
    list: listOption,
    values: text({
      description: "A link, a phrase, or people by fid, @name or profile link",
      required: true,
      maxLength: 4000,
      suggest: suggestValues,
    }),
  },
  confirmLabel: "Remove",
  state: ProposedRules,
  async preview(context, { list: typed, values }) {
    await authorizeRules(context, context.actor);
    const name = typed.trim().toLowerCase();
    const { type, values: present } = requireList(await findReadable(context), name);
    // First as it stands in the file: a list may have values that /list add would write in another way.
    const wanted = compareAs(type, values.trim());
    const exact = present.filter((value) => compareAs(type, value) === wanted);
    const gone = exact.length > 0 ? exact : await readValues(context, type, values);
    return proposeRemoval(context, { name, type, values: gone });
  },
  act: putListInForce,
});

import { confirm, text } from "../../src/discord/command.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { ProposedRules } from "../rule/change-rules.ts";
import { proposeRemoval, putListInForce } from "./change-list.ts";
import { listOption, readValues, requireList, suggestValues } from "./list-arguments.ts";
import { findReadable } from "../rule/rule-arguments.ts";

export const removeFromList = confirm({
  description: "Take links, phrases or people out of a list that rules look at",
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
  confirmLabel: "Take it out",
  state: ProposedRules,
  async preview(context, { list: typed, values }) {
    await authorizeRules(context, context.actor);
    const name = typed.trim().toLowerCase();
    const { type } = requireList(await findReadable(context), name);
    return proposeRemoval(context, { name, type, values: await readValues(context, type, values) });
  },
  act: putListInForce,
});

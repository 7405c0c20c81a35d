import { confirm, integer } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { findVersion } from "../../src/rules/versions/rules-of-server.ts";
import { ProposedRules, proposeRules, putInForce } from "./change-rules.ts";
import { requireRules } from "./rule-arguments.ts";

export const rollbackRules = confirm({
  description: "Bring back an earlier version of the rules, as a new one; the previous one if none is given",
  options: { version: integer({ description: "Which: /rule history lists them", min: 1, max: 1_000_000 }) },
  confirmLabel: "Bring it back",
  state: ProposedRules,
  async preview(context, { version }) {
    await authorizeRules(context, context.actor);
    const { version: inForce } = await requireRules(context);
    const wanted = version ?? inForce - 1;
    const found = await findVersion(context.database.query, context.actor.guildId, wanted);
    if (!found) throw new AppError("not_found", `There is no version ${wanted} of this server's rules.`);
    return proposeRules(context, found.source, `rollback to version ${wanted}`);
  },
  act: putInForce,
});

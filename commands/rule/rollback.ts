import { confirm, integer } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { findVersion } from "../../src/rules/versions/rules-of-server.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { ProposedRules, proposeRules, putRulesInForce } from "./change-rules.ts";
import { describeSaver } from "./describe-rule.ts";
import { requireRules } from "./rule-arguments.ts";

export const rollbackRules = confirm({
  description: "Restore an earlier version of the rules as a new one; the previous one if left out",
  needs: "rules",
  console: true,
  options: {
    version: integer({ description: "The version, from /rule show history:true", min: 1, max: 1_000_000 }),
  },
  confirmLabel: "Bring it back",
  state: ProposedRules,
  async preview(context, { version }) {
    await authorizeRules(context, context.actor);
    const { version: inForce, unreadable } = await requireRules(context);
    const wanted = version ?? inForce - 1;
    const found = await findVersion(context.database.query, context.actor.guildId, wanted);
    if (!found) throw new AppError("not_found", `There is no version ${wanted} of this server's rules.`);
    const { version: brought, change, saved_by, saved_at_ms } = found;
    const origin = `Version ${brought}: ${inlineCode(change, 80)} by ${describeSaver(saved_by)}, ${describeTime(saved_at_ms / 1000, "f")}.`;
    const now = unreadable ? "is in force and cannot be read" : "is in force";
    return proposeRules(context, found.source, `rollback to version ${brought}`, {
      title: `Restore version ${brought} of the rules? Version ${inForce} ${now}`,
      // A rollback is for emergencies, so it waits for no rehearsal.
      insteadOfRehearsal: `${origin}\nNot rehearsed, so that you do not have to wait. /rule show version:${brought} has the file, and /rule test rehearses it.`,
    });
  },
  act: putRulesInForce,
});

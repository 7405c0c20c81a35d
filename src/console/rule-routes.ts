import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { editRules, readTyped } from "../../commands/rule/edit.ts";
import { tryRules } from "../../commands/rule/test.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { confirmFirst } from "../discord/run-command.ts";
import type { View } from "../discord/view.ts";
import { AppError } from "../errors.ts";
import { makeRuleSchema } from "../rules/language/rule-schema.ts";
import { sourceLimits } from "../rules/language/read-source.ts";
import { findRules } from "../rules/versions/rules-of-server.ts";
import { answerWithProgress } from "./answer-with-progress.ts";
import { toPageView } from "./page-view.ts";
import { ServerPath } from "./request-schemas.ts";
import type { Name } from "./resolve-names.ts";
import { listMistakes } from "./read-rules.ts";
import type { Visits } from "./session-context.ts";

/** Maximum bytes of a rule file in JSON, six per character. Longer ones get a proper error when they are read. */
const Source = z.string();
const bodyLimit = 6 * sourceLimits.bytes + 1024;
const Rule = z.string().max(40).optional();
const Typed = z.object({ rule: Rule, source: Source });
export type Typed = z.infer<typeof Typed>;
const Proposed = Typed.extend({ baseVersion: z.int().min(0) });
export type Proposed = z.infer<typeof Proposed>;
const Tried = z.object({
  rule: Rule,
  source: Source.optional(),
  days: z.int().min(1).max(365).optional(),
  channel: z.string().max(40).optional(),
});
export type Tried = z.infer<typeof Tried>;

/** Checks, edits and tests the rules, with the code of /rule. */
export function addRuleRoutes(server: FastifyInstance, visits: Visits, named: Name): void {
  const base = `${ServerPath}/rules`;
  let schema: object | undefined;
  server.get(`${base}/schema`, async (request) => {
    await visits.requireSession(request);
    return (schema ??= makeRuleSchema());
  });
  server.post(`${base}/mistakes`, { bodyLimit }, async (request) => {
    const { rule, source } = Typed.parse(request.body);
    const context = await visits.enter(request);
    return { mistakes: await listMistakes(context, rule, source) };
  });
  server.post(`${base}/propose`, { bodyLimit }, async (request) => {
    const proposed = Proposed.parse(request.body);
    const context = await visits.enter(request);
    return named(context, { view: toPageView(await propose(context, proposed)) });
  });
  server.post(`${base}/rehearse`, { bodyLimit }, async (request, reply) => {
    const { rule, source, days, channel } = Tried.parse(request.body);
    const context = await visits.enter(request);
    return answerWithProgress(reply, context, named, async (watched) => {
      const trial = { days, channel };
      const view =
        source === undefined
          ? tryRules(watched, { ...trial, source })
          : readTyped(watched, rule ?? null, source, (whole) =>
              tryRules(watched, { ...trial, source: whole }),
            );
      return { view: toPageView(await view) };
    });
  });
}

/** Shows what the typed rules would change, with a button that puts them in force. */
async function propose(context: CommandContext, { rule, source, baseVersion }: Proposed): Promise<View> {
  const preview = await editRules.preview(context, { ruleId: rule ?? null }, { rules: source });
  const inForce = await findRules(context, context.actor.guildId);
  // One rule is inserted into the rules in force. A whole file would undo changes since it was opened.
  if (rule === undefined && (inForce?.version ?? 0) !== baseVersion) {
    throw new AppError("expired", "The rules were changed in the meantime. Compare yours with them first.");
  }
  return confirmFirst(context, "rule edit", editRules, preview);
}

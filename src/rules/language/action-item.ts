import { z } from "zod";
import type { PlannedAction } from "../decide/action.ts";
import { actionKinds } from "../actions/index.ts";
import { clip, explainIssue, listFaults } from "./explain-issue.ts";
import { suggest } from "../../text/suggest.ts";

const names = actionKinds.map((kind) => kind.name);

/** One entry of `then`: a map with the action's name and its parameters. */
export const ActionItem = z.unknown().transform((value, context): PlannedAction & { name: string } => {
  const refuse = (message: string, path: PropertyKey[] = [], at?: "key") => {
    context.issues.push({ code: "custom", message, path, input: value, params: { at } });
    return z.NEVER;
  };
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const [entry, ...others] = isMap ? Object.entries(value) : [];
  if (!entry || others.length > 0)
    return refuse("must be one action, such as {hide: {}} or {ban: {for: 7d}}");
  const [name, parameters] = entry;
  const kind = actionKinds.find((kind) => kind.name === name);
  if (!kind) return refuse(`unknown action "${clip(name)}"${suggest(name, names)}`, [name], "key");
  const parsed = kind.schema.safeParse(parameters, { error: explainIssue });
  if (parsed.success) return { name, ...parsed.data };
  for (const fault of listFaults(parsed.error)) refuse(fault.message, [name, ...fault.path], fault.at);
  return z.NEVER;
});

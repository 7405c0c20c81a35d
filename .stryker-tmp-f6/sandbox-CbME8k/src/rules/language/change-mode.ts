// @ts-nocheck
import { isMap, isSeq, parseDocument } from "yaml";
import { AppError } from "../../errors.ts";
import type { Mode } from "./rule-file.ts";
import { writeDocument } from "./write-document.ts";

/** The same file with one rule in another mode; what else is in it, comments too, stays. Throws `invalid_input`. */
export function changeMode(source: string, ruleId: string, mode: Mode): string {
  const document = parseDocument(source);
  const rules = document.get("rules");
  const items = isSeq(rules) ? rules.items : [];
  const index = items.findIndex((item) => isMap(item) && item.get("id") === ruleId);
  if (index < 0) throw new AppError("invalid_input", `There is no rule "${ruleId}".`);
  document.setIn(["rules", index, "mode"], mode);
  return writeDocument(source, document);
}

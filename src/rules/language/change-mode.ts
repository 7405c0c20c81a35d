import { isMap, isSeq, parseDocument } from "yaml";
import { AppError } from "../../errors.ts";
import type { Mode } from "./rule-file.ts";
import { writeDocument } from "./write-document.ts";

/** The same file with rules in another mode; what else is in it, comments too, stays. Throws `invalid_input`. */
export function changeMode(source: string, ruleIds: readonly string[], mode: Mode): string {
  const document = parseDocument(source, { uniqueKeys: false });
  const rules = document.get("rules");
  const items = isSeq(rules) ? rules.items : [];
  const places = new Map(items.map((item, index) => [isMap(item) ? item.get("id") : undefined, index]));
  for (const ruleId of ruleIds) {
    const index = places.get(ruleId);
    if (index === undefined) throw new AppError("invalid_input", `There is no rule "${ruleId}".`);
    document.setIn(["rules", index, "mode"], mode);
  }
  return writeDocument(source, document);
}

import { isMap, isScalar, isSeq, parseDocument, YAMLSeq, type Document, type YAMLMap } from "yaml";
import { AppError } from "../../errors.ts";
import type { Mode } from "./rule-file.ts";
import { compareAs, type ListType } from "./rule-list.ts";

/** The file that a server's first rule is added to. */
export const emptyFile = `version: 1
defaults: {mode: shadow, exempt: [owner, moderators]}
rules: []
`;

/** One rule's text in a file, with its comments. Throws `invalid_input` if there is no such rule. */
export function cutRule(source: string, ruleId: string): string {
  const [start, end] = findRule(source, ruleId);
  const text = source.slice(start, end).trimEnd();
  const indent = " ".repeat(start - (source.lastIndexOf("\n", start) + 1));
  return text.replaceAll(`\n${indent}`, "\n");
}

/** The text before a rule in a file. Throws `invalid_input` if there is no such rule. */
export function textBefore(source: string, ruleId: string): string {
  const [start] = findRule(source, ruleId);
  return source.slice(0, start);
}

/** Replaces one rule's text in a file, changing nothing else. Throws `invalid_input`. */
export function replaceRule(source: string, ruleId: string, written: string): string {
  const [start, end] = findRule(source, ruleId);
  const indent = " ".repeat(start - (source.lastIndexOf("\n", start) + 1));
  const before = source.slice(start, end);
  const tail = before.slice(before.trimEnd().length);
  const lines = written.replace(/\r\n?/g, "\n").trim().split("\n");
  const text = lines.map((line, index) => (index === 0 || line === "" ? line : indent + line)).join("\n");
  return source.slice(0, start) + text + tail + source.slice(end);
}

/** Appends rules to a file, each under a comment. Throws `invalid_input` if that is impossible. */
export function appendRules(source: string, added: readonly { entry: object; comment: string }[]): string {
  const document = parse(source);
  // An empty list is written as nothing, or as [].
  if (!isSeq(document.get("rules")) || rulesOf(document).items.length === 0)
    document.set("rules", new YAMLSeq());
  for (const { entry, comment } of added) {
    // An alias is not read: a part that occurs twice is written twice.
    const node = document.createNode(entry, { aliasDuplicateObjects: false });
    node.commentBefore = ` ${comment}`;
    rulesOf(document).add(node);
  }
  return writeDocument(source, document);
}

/** Adds a condition under which a rule does not apply, changing nothing else. Throws `invalid_input`. */
export function exemptFromRule(source: string, ruleId: string, condition: object): string {
  const document = parse(source);
  const rule = requireRule(document, ruleId);
  const when = rule.get("when", true);
  if (!isMap(when)) throw new AppError("invalid_input", `There is no rule "${ruleId}" with a condition.`);
  const exemption = document.createNode({ not: condition });
  const parts = when.items.length === 1 ? when.get("all") : undefined;
  if (isSeq(parts)) parts.add(exemption);
  else {
    const all = new YAMLSeq();
    all.items = [when, exemption];
    rule.set("when", document.createNode({ all }));
  }
  return writeDocument(source, document);
}

/** Removes a rule from a file; all else stays, with its comments. Throws `invalid_input` if there is no such rule. */
export function removeRule(source: string, ruleId: string): string {
  const document = parse(source);
  const rules = rulesOf(document);
  rules.delete(rules.items.indexOf(requireRule(document, ruleId)));
  return writeDocument(source, document);
}

/** Changes the mode of rules in a file, keeping everything else with its comments. Throws `invalid_input`. */
export function changeMode(source: string, ruleIds: readonly string[], mode: Mode): string {
  const document = parse(source);
  for (const ruleId of ruleIds) requireRule(document, ruleId).set("mode", mode);
  return writeDocument(source, document);
}

/** The same file with more values in one of its lists, which is made where there is none; all else in it stays. Throws `invalid_input`. */
export function addToList(
  source: string,
  { name, type, values }: { name: string; type: ListType; values: readonly (string | number)[] },
): string {
  const document = parse(source);
  const lists = document.get("lists");
  const present = document.getIn(["lists", name, "values"], true);
  if (isSeq(present)) {
    openUp(present);
    for (const value of values) present.add(document.createNode(value));
  } else if (isMap(lists)) {
    openUp(lists);
    lists.set(name, document.createNode({ type, values }));
  } else {
    if (!isMap(document.contents)) throw new AppError("invalid_input", "The file has no list of rules.");
    // Lists come before the rules that name them.
    const { items } = document.contents;
    const rules = items.findIndex(({ key }) => isScalar(key) && key.value === "rules");
    items.splice(Math.max(rules, 0), 0, document.createPair("lists", { [name]: { type, values } }));
  }
  return writeDocument(source, document);
}

/** The same file without some values of a list; all else in it stays, comments too. Throws `invalid_input` where none of them is in it. */
export function removeFromList(
  source: string,
  { name, type, values }: { name: string; type: ListType; values: readonly (string | number)[] },
): string {
  const document = parse(source);
  const present = document.getIn(["lists", name, "values"], true);
  if (!isSeq(present)) throw new AppError("invalid_input", `There is no list "${name}".`);
  const unwanted = new Set(values.map((value) => compareAs(type, value)));
  const isUnwanted = (item: unknown) => {
    const value = isScalar(item) ? item.value : undefined;
    return (typeof value === "string" || typeof value === "number") && unwanted.has(compareAs(type, value));
  };
  const left = present.items.filter((item) => !isUnwanted(item));
  if (left.length === present.items.length)
    throw new AppError("invalid_input", "None of these is in the list.");
  present.items = left;
  return writeDocument(source, document);
}

/** What was written as [] or {} would stay on one line, however long it gets. */
function openUp(collection: YAMLSeq | YAMLMap): void {
  if (collection.items.length === 0) collection.flow = false;
}

/** Writes a changed rule file in its original format: comments stay, and JSON stays JSON. */
function writeDocument(source: string, document: Document): string {
  if (source.trimStart().startsWith("{")) return `${JSON.stringify(document.toJS(), null, 2)}\n`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function parse(source: string): Document {
  return parseDocument(source, { uniqueKeys: false });
}

/** Throws `invalid_input` if there is no such rule. */
function requireRule(document: Document, ruleId: string): YAMLMap {
  const found = rulesOf(document).items.find((item) => isMap(item) && item.get("id") === ruleId);
  if (isMap(found)) return found;
  throw new AppError("invalid_input", `There is no rule "${ruleId}".`);
}

function rulesOf(document: Document) {
  const rules = document.get("rules");
  if (isSeq(rules)) return rules;
  throw new AppError("invalid_input", "The file has no list of rules.");
}

/** The start and end of a rule, in characters. */
function findRule(source: string, ruleId: string): [start: number, end: number] {
  const { range } = requireRule(parse(source), ruleId);
  if (!range) throw new Error("A rule of a parsed file has no place in it.");
  return [range[0], range[1]];
}

import { z } from "zod";
import { conditionKinds } from "../conditions/index.ts";
import type { ConditionKind, ConditionNode, Leaf } from "../evaluate/condition.ts";
import type { RuleLists } from "./rule-list.ts";
import { clip, explainIssue, listFaults } from "./explain-issue.ts";
import { suggest } from "../../text/suggest.ts";

const treeLimits = { depth: 6, leaves: 64 } as const;

const combinators = ["all", "any", "not"] as const;
const names = [...combinators, ...conditionKinds.map((kind) => kind.name)];

interface Walk {
  schemaOf(kind: ConditionKind): z.ZodType<Leaf>;
  /** The leaves of the file's rules by their text: identical text is one leaf. */
  known: Map<string, Leaf>;
  leaves: number;
  /** `key`: the key that leads to the value is wrong, not the value. */
  refuse(path: PropertyKey[], message: string, at?: "key"): undefined;
}

/** A rule's `when`: one condition, or all, any and not over several. */
export function conditionTree(lists: RuleLists): z.ZodType<ConditionNode> {
  const schemas = new Map<ConditionKind, z.ZodType<Leaf>>();
  const known = new Map<string, Leaf>();
  const schemaOf = (kind: ConditionKind) => {
    const schema = schemas.get(kind) ?? kind.schema(lists, conditionTree(lists));
    schemas.set(kind, schema);
    return schema;
  };
  return z.unknown().transform((value, context): ConditionNode => {
    const refuse: Walk["refuse"] = (path, message, at) => {
      context.issues.push({ code: "custom", message, path, input: value, params: { at } });
      return undefined;
    };
    return readNode(value, [], 1, { leaves: 0, schemaOf, known, refuse }) ?? z.NEVER;
  });
}

function readNode(value: unknown, path: PropertyKey[], depth: number, walk: Walk): ConditionNode | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return walk.refuse(path, "must be a condition, such as {text: {contains: airdrop}}");
  }
  const [entry, ...others] = Object.entries(value);
  if (!entry) return walk.refuse(path, "is empty: give a condition");
  if (others.length > 0)
    return walk.refuse(path, "has several conditions: put them into a list under all or any");
  const [name, parameters] = entry;
  if (depth > treeLimits.depth) return walk.refuse(path, `is nested deeper than ${treeLimits.depth}`);
  if (name === "not") {
    const part = readNode(parameters, [...path, name], depth + 1, walk);
    return part && { kind: "not", part };
  }
  if (name === "all" || name === "any") return readParts(name, parameters, [...path, name], depth, walk);
  return readLeaf(name, parameters, [...path, name], walk);
}

function readParts(
  kind: "all" | "any",
  value: unknown,
  path: PropertyKey[],
  depth: number,
  walk: Walk,
): ConditionNode | undefined {
  if (!Array.isArray(value) || value.length === 0) return walk.refuse(path, "must be a list of conditions");
  const read = value
    .slice(0, treeLimits.leaves + 1)
    .map((part, index) => readNode(part, [...path, index], depth + 1, walk));
  const parts = read.filter((part) => part !== undefined);
  if (parts.length < value.length) return undefined;
  return { kind, parts, cheapestFirst: parts.toSorted((one, other) => costOf(one) - costOf(other)) };
}

function readLeaf(name: string, value: unknown, path: PropertyKey[], walk: Walk): ConditionNode | undefined {
  walk.leaves += 1;
  if (walk.leaves === treeLimits.leaves + 1) walk.refuse([], `has more than ${treeLimits.leaves} conditions`);
  if (walk.leaves > treeLimits.leaves) return undefined;
  const kind = conditionKinds.find((kind) => kind.name === name);
  if (!kind) return walk.refuse(path, `unknown condition "${clip(name)}"${suggest(name, names)}`, "key");
  const written = JSON.stringify([name, value]);
  const known = walk.known.get(written);
  if (known) return { kind: "leaf", name, leaf: known };
  const parsed = walk.schemaOf(kind).safeParse(value, { error: explainIssue });
  if (parsed.success) {
    walk.known.set(written, parsed.data);
    return { kind: "leaf", name, leaf: parsed.data };
  }
  for (const fault of listFaults(parsed.error))
    walk.refuse([...path, ...fault.path], fault.message, fault.at);
  return undefined;
}

function costOf(node: ConditionNode): number {
  if (node.kind === "leaf") return node.leaf.cost;
  if (node.kind === "not") return costOf(node.part);
  return node.parts.reduce((cost, part) => cost + costOf(part), 0);
}

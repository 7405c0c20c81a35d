import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Parser,
  type CST,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import { AppError, type Mistake } from "../../errors.ts";
import { findUnstorable } from "../../text/storable.ts";

export const sourceLimits = { bytes: 131_072, depth: 32, mistakes: 20 } as const;

export type Path = readonly PropertyKey[];

/** A rule file as data, with the position of each part. */
export interface Source {
  value: unknown;
  /** Where a value begins, or the key that leads to it; the nearest part if it is absent. */
  locate(path: Path, at?: "key"): number;
  /** Findings by line and column, in file order; only the first of many. */
  mistakesAt(findings: readonly Finding[]): Mistake[];
  /** The error that lists mistakes, in file order. */
  errorAt(findings: readonly Finding[]): AppError;
}

/** A mistake and where it is, in characters from the start. */
export interface Finding {
  offset: number;
  message: string;
}

const noText = "contains U+0000 or half of a character, which text cannot have: save the file as UTF-8";

/** What a file is, if not of rules: the beginning of "The rules have a mistake", and the most bytes. */
interface SourceKind {
  subject: string;
  maxBytes: number;
}
const ruleFile: SourceKind = { subject: "The rules have", maxBytes: sourceLimits.bytes };

/** Reads YAML or JSON. Throws `invalid_file` with every mistake of syntax. */
export function readSource(text: string, { subject, maxBytes }: SourceKind = ruleFile): Source {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const limit = Math.floor(maxBytes / 1024);
    throw new AppError(
      "invalid_file",
      `The file has ${Math.ceil(bytes / 1024)} kB; at most ${limit} kB are read.`,
    );
  }
  const lines = new LineCounter();
  const mistakesAt = (findings: readonly Finding[]) => listMistakes(findings, lines);
  const errorAt = (findings: readonly Finding[]) => refuse(subject, findings, lines);
  const deep = findTooDeep(text, sourceLimits.depth, lines);
  if (deep !== undefined) throw errorAt([{ offset: deep, message: "nested too deeply" }]);
  const binary = findUnstorable(text);
  if (binary >= 0) throw errorAt([{ offset: binary, message: noText }]);
  // findUnwanted checks for duplicate keys, because the parser's own check compares every pair.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    message,
  }));
  const mistakes = [...broken, ...findUnwanted(document)];
  if (mistakes.length > 0) throw errorAt(mistakes);
  return { value: document.toJS(), locate: createLocate(document), mistakesAt, errorAt };
}

/**
 * Where a text is nested deeper than `limit`; undefined if nowhere. Also counts its lines. Must run before parsing: the
 * parser recurses as deep as the text is nested, and could overflow the stack.
 */
export function findTooDeep(text: string, limit: number, lines: LineCounter): number | undefined {
  const open: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) open.push({ token, depth: 0 });
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > limit) return token.offset;
    if (token.type === "document" && token.value) open.push({ token: token.value, depth: depth + 1 });
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 });
      if (value) open.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}

function refuse(subject: string, findings: readonly Finding[], lines: LineCounter): AppError {
  const mistakes = listMistakes(findings, lines);
  const total = new Set(findings.map(({ offset, message }) => `${offset} ${message}`)).size;
  const count = total === 1 ? "a mistake" : `${total} mistakes`;
  return new AppError("invalid_file", `${subject} ${count}.`, { mistakes });
}

function listMistakes(findings: readonly Finding[], lines: LineCounter): Mistake[] {
  const different = new Map(findings.map((finding) => [`${finding.offset} ${finding.message}`, finding]));
  const sorted = [...different.values()].toSorted((one, other) => one.offset - other.offset);
  return sorted.slice(0, sourceLimits.mistakes).map(({ offset, message }): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { path: `line ${line}, column ${col}`, message };
  });
}

/** Finds what rule files must not have: aliases, which let a small file expand, and keys that are duplicate or complex. */
function findUnwanted(document: Document): Finding[] {
  const findings: Finding[] = [];
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    if (isScalar(node) && typeof node.value === "string" && findUnstorable(node.value) >= 0) {
      findings.push({ offset, message: noText });
    }
    if (isAlias(node)) {
      findings.push({ offset, message: `write it out: *${node.source} is an alias, which is not supported` });
    }
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<string>();
    for (const { key, value } of node.items) {
      open.push(value);
      if (!isScalar(key)) findings.push({ offset, message: "a key must be a single word" });
      // As in objects: 1 and "1" are one key.
      else if (keys.size === keys.add(String(key.value)).size) {
        findings.push({ offset: key.range?.[0] ?? offset, message: "Map keys must be unique" });
      }
    }
  }
  return findings;
}

/** Each map is indexed once, however many of its keys are located. */
function createLocate(document: Document): Source["locate"] {
  const indexes = new Map<YAMLMap, Map<string, Pair>>();
  const findPair = (map: YAMLMap, step: PropertyKey) => {
    const index = indexes.get(map) ?? indexPairs(map);
    indexes.set(map, index);
    return index.get(String(step));
  };
  return (path, at) => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const [index, step] of path.entries()) {
      const last = index === path.length - 1;
      if (isSeq(node)) {
        node = node.items[Number(step)];
        offset = startOf(node) ?? offset;
      } else if (isMap(node)) {
        const pair = findPair(node, step);
        if (!pair) return offset;
        node = pair.value;
        const start = last && at === "key" ? undefined : startOf(node);
        offset = start ?? startOf(pair.key) ?? offset;
      } else return offset;
    }
    return offset;
  };
}

function indexPairs({ items }: YAMLMap): Map<string, Pair> {
  return new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
}

/** Where a node begins; undefined if its value was left out. */
function startOf(node: unknown): number | undefined {
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined;
  return node.range[0];
}

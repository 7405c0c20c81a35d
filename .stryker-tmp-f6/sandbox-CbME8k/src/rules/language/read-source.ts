// @ts-nocheck
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from "yaml";
import { AppError, type Mistake } from "../../errors.ts";
import { findTooDeep } from "./find-too-deep.ts";

export const sourceLimits = { bytes: 131_072, depth: 32, mistakes: 20 } as const;

export type Path = readonly PropertyKey[];

/** A rule file as data, and where each part of it stands. */
export interface Source {
  value: unknown;
  /** Where a value begins, or the key that led to it; the nearest part where it is absent. */
  locate(path: Path, at?: "key"): number;
  /** The error that tells of mistakes, in the order of the file. */
  refusal(findings: readonly Finding[]): AppError;
}

/** A mistake and where it is, in characters from the start. */
export interface Finding {
  offset: number;
  message: string;
}

/** Reads YAML or JSON. Throws `invalid_file` with every mistake of syntax. */
export function readSource(text: string): Source {
  const bytes = Buffer.byteLength(text);
  if (bytes > sourceLimits.bytes) {
    const limit = Math.floor(sourceLimits.bytes / 1024);
    throw new AppError(
      "invalid_file",
      `The file has ${Math.ceil(bytes / 1024)} kB; at most ${limit} kB are read.`,
    );
  }
  const lines = new LineCounter();
  const refusal = (findings: readonly Finding[]) => refuse(findings, lines);
  const deep = findTooDeep(text, sourceLimits.depth, lines);
  if (deep !== undefined) throw refusal([{ offset: deep, message: "nested too deeply" }]);
  const document = parseDocument(text, { prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    message: firstLine(message),
  }));
  if (broken.length > 0) throw refusal(broken);
  const unwanted = findUnwanted(document);
  if (unwanted.length > 0) throw refusal(unwanted);
  return { value: document.toJS(), locate: (path, at) => findOffset(document, path, at), refusal };
}

function refuse(findings: readonly Finding[], lines: LineCounter): AppError {
  const different = new Map(findings.map((finding) => [`${finding.offset} ${finding.message}`, finding]));
  const sorted = [...different.values()].toSorted((one, other) => one.offset - other.offset);
  const mistakes = sorted.slice(0, sourceLimits.mistakes).map(({ offset, message }): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { path: `line ${line}, column ${col}`, message };
  });
  const count = sorted.length === 1 ? "a mistake" : `${sorted.length} mistakes`;
  return new AppError("invalid_file", `The rules have ${count}.`, { mistakes });
}

/** Refuses what rules have no use for: aliases, which make a small file large, and keys that are no words. */
function findUnwanted(document: Document): Finding[] {
  const findings: Finding[] = [];
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    if (isAlias(node)) {
      findings.push({ offset, message: `write it out: *${node.source} (an alias) is not read` });
    }
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    for (const { key, value } of node.items) {
      if (!isScalar(key)) findings.push({ offset, message: "a key must be a single word" });
      open.push(value);
    }
  }
  return findings;
}

function findOffset(document: Document, path: Path, at?: "key"): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return offset;
      node = pair.value;
      const start = last && at === "key" ? undefined : startOf(node);
      offset = start ?? startOf(pair.key) ?? offset;
    } else return offset;
  }
  return offset;
}

/** Where a node begins; nothing where its value was left out. */
function startOf(node: unknown): number | undefined {
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined;
  return node.range[0];
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

/** Writes src/text/confusables.ts anew: node --import tsx test/text/pack-confusables.ts confusables.txt */
// @ts-nocheck

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export const packed = new URL("../../src/text/confusables.ts", import.meta.url);

/** Characters of a line of the packed table at most. */
const longestLine = 401;

/** The module that holds what Unicode's confusables.txt says. */
export function packConfusables(text: string): string {
  const version = /^# Version: (\d+\.\d+)/m.exec(text)?.[1];
  if (version === undefined) throw new Error("this is no confusables.txt: it names no version");
  const sources = new Map<string, number[]>();
  for (const [, source = "", target = ""] of text.matchAll(/^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;/gm)) {
    const key = target.split(" ").map(encode).join("-");
    sources.set(key, [...(sources.get(key) ?? []), parseInt(source, 16)]);
  }
  const rows = [...sources].toSorted(([one], [other]) => compare(pointsOf(one), pointsOf(other)));
  const lines = [""];
  for (const [target, points] of rows) {
    const sorted = points.toSorted((one, other) => one - other);
    const distances = sorted.map((point, index) => (point - (sorted[index - 1] ?? 0)).toString(36));
    const row = `${target}=${distances.join(" ")};`;
    if ((lines.at(-1) ?? "").length + row.length > longestLine) lines.push("");
    lines[lines.length - 1] += row;
  }
  return `${header(version)}export const confusables = [\n${lines.map((line) => `  "${line}",\n`).join("")}].join("");\n`;
}

const header = (version: string) => `/**
 * What each character looks like, by the data of Unicode ${version} for UTS #39 (confusables.txt), packed by
 * test/text/pack-confusables.ts. \`target=source source …;\`: code points in base 36, the target's joined by "-", each
 * source as its distance from the one before.
 *
 * Copyright © Unicode, Inc. SPDX-License-Identifier: Unicode-3.0, as LICENSE.Unicode-3.0.txt says. Unicode is a
 * registered trademark of Unicode, Inc.
 */
`;

function encode(point: string): string {
  return parseInt(point, 16).toString(36);
}

function pointsOf(target: string): number[] {
  return target.split("-").map((point) => parseInt(point, 36));
}

function compare(one: readonly number[], other: readonly number[]): number {
  const different = one.findIndex((point, index) => point !== other[index]);
  return different < 0 ? one.length - other.length : (one[different] ?? 0) - (other[different] ?? -1);
}

const [, script = "", file] = process.argv;
if (file !== undefined && pathToFileURL(script).href === import.meta.url) {
  writeFileSync(packed, packConfusables(readFileSync(file, "utf8")));
}

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assemblers, folderOf, forEverybody, importTable, packageOwners } from "./support/import-table.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

const product = readSourceFiles("src", "commands", "workers");
const everything = [...product, ...readSourceFiles("test", "bench")];

describe("imports", () => {
  it("follow the table", () => {
    const wrong = product.flatMap((file) => {
      const from = folderOf(file.path);
      return file.imports
        .filter((one) => one.isOurs && !mayImport(from, folderOf(one.target), one.isType))
        .map(({ line, target, isType }) => `${file.path}:${line} ${isType ? "type of " : ""}${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it("name only files of folders that the table knows", () => {
    const known = new Set([...Object.keys(importTable), ...assemblers, ...forEverybody]);
    expect(product.map(({ path }) => path).filter((path) => !known.has(folderOf(path)))).toEqual([]);
  });

  it("take a package that belongs to one part nowhere else", () => {
    const wrong = product.flatMap((file) =>
      file.imports
        .filter(({ target, isOurs }) => {
          const owners = isOurs ? undefined : packageOwners[target];
          return owners && ![...owners, ...assemblers].includes(folderOf(file.path));
        })
        .map(({ line, target }) => `${file.path}:${line} ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("never go round in a circle, nor do types", () => {
    const targets = new Map(product.map(({ path, imports }) => [path, imports]));
    const settled = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      if (settled.has(path) || trail.includes(path)) return;
      for (const { target, isOurs } of targets.get(path) ?? []) if (isOurs) visit(target, [...trail, path]);
      settled.add(path);
    };
    for (const path of targets.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });

  it("carry the .ts ending and lead to a file that is there", () => {
    const paths = new Set(everything.map(({ path }) => path));
    const wrong = everything.flatMap((file) =>
      file.imports
        .filter(
          ({ target, isOurs }) =>
            isOurs && !paths.has(target.replace(/\.js$/, ".d.ts")) && !target.endsWith(".json"),
        )
        .map(({ line, target }) => `${file.path}:${line} ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("files", () => {
  it("are named in kebab-case, by what they export", () => {
    const wrong = everything.filter(({ path }) => {
      const name = path.slice(path.lastIndexOf("/") + 1).replace(/(\.test|\.d)?\.tsx?$/, "");
      const isVague = /^(utils?|helpers?|common|misc|.*-?(manager|service|utils?|helpers?))$/.test(name);
      return isVague || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("of commands are all in its list", () => {
    const index = product.find(({ path }) => path === "commands/index.ts");
    const listed = new Set(index?.imports.map(({ target }) => target));
    const files = product.map(({ path }) => path).filter((path) => /^commands\/[^/]+$/.test(path));
    expect(files.filter((path) => path !== "commands/index.ts" && !listed.has(path))).toEqual([]);
  });
});

describe("code", () => {
  it("never says any", () => {
    expect(findInCode(everything, /(:|\bas|<|\||,)\s*any\b(?!\()|\bany\[\]/g)).toEqual([]);
  });

  it("reads the environment in src/environment.ts alone", () => {
    const others = everything.filter(
      ({ path }) => path !== "src/environment.ts" && !/^(test\/(support|mutants)|bench)\//.test(path),
    );
    expect(findInCode(others, /process\.env\b/g)).toEqual([]);
  });

  it("begins transactions through Database alone, which guards and repeats them", () => {
    const others = everything.filter(({ path }) => path !== "src/database/transactions.ts");
    expect(findInCode(others, /\.(transaction\(\s*\)|startTransaction\(|connection\(\s*\))/g)).toEqual([]);
  });

  it("holds no SQL in commands: queries stand beside what they read", () => {
    const commands = product.filter(({ path }) => path.startsWith("commands/"));
    expect(findInCode(commands, /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/g)).toEqual([]);
    expect(commands.filter(({ imports }) => imports.some(({ target }) => target === "kysely"))).toEqual([]);
  });

  it("writes to no console", () => {
    expect(findInCode(product, /\bconsole\.\w/g)).toEqual([]);
  });
});

describe("tables", () => {
  const network = tableNames("src/database/tables/network.ts", "network");
  const castellan = tableNames("src/database/tables/bot.ts", "castellan");

  it("are found in what declares them", () => {
    expect(network).toContain("channels");
    expect(castellan).toContain("cases");
  });

  it("of the network are known to src/api and src/database alone", () => {
    const others = product.filter(({ path }) => !/^src\/(api|database)\//.test(path));
    expect(findInStrings(others, `network\\.(${network.join("|")})`)).toEqual([]);
  });

  it("of the bot are unknown to src/api", () => {
    const api = product.filter(({ path }) => path.startsWith("src/api/"));
    expect(findInStrings(api, `castellan.(${castellan.join("|")})`)).toEqual([]);
  });
});

function mayImport(from: string, to: string, isType: boolean): boolean {
  if (from === to || forEverybody.includes(to) || assemblers.includes(from)) return true;
  const allowed = importTable[from] ?? [];
  return allowed.includes(to) || (isType && allowed.includes(`${to}:types`));
}

function findInCode(files: SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, code }) =>
    code
      .split("\n")
      .flatMap((text, index) => (text.search(pattern) < 0 ? [] : [`${path}:${index + 1} ${text.trim()}`])),
  );
}

function findInStrings(files: SourceFile[], pattern: string): string[] {
  const word = new RegExp(`\\b${pattern}\\b`);
  return files.flatMap(({ path, strings }) =>
    strings.filter(({ text }) => word.test(text)).map(({ line, text }) => `${path}:${line} ${text}`),
  );
}

function tableNames(file: string, schema: string): string[] {
  if (!existsSync(file)) return [];
  const declared = readFileSync(file, "utf8").matchAll(new RegExp(`^ {2}"${schema}\\.(\\w+)"`, "gm"));
  return [...declared].map(([, name = ""]) => name);
}

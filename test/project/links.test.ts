import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const skipped = new Set(["node_modules", "dist", ".git", "coverage", "reports", "corpus"]);
const files = listFiles(".");
const pages = files.filter((path) => path.endsWith(".md"));
const read = (path: string) => readFileSync(path, "utf8");

it("every relative link and anchor of a page resolves", () => {
  expect(pages).toContain("README.md");
  const broken = pages.flatMap((page) =>
    linksOf(read(page))
      .filter((link) => !/^[a-z]+:/.test(link) && !resolves(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it("every page that code, scripts, settings and deployment files name exists", () => {
  const naming = files.filter((path) =>
    /^(src|commands|workers|\.ci|\.github|deploy)\/|^(\.env\.example|Dockerfile|docker-compose\.yml)$/.test(
      path,
    ),
  );
  const missing = naming.flatMap((path) =>
    [...read(path).matchAll(/\bdocs\/[\w/-]+\.(?:md|txt)\b/g)]
      .filter(([page]) => !existsSync(page))
      .map(([page]) => `${path}: ${page}`),
  );
  expect(missing).toEqual([]);
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path);
    return [path];
  });
}

function linksOf(markdown: string): string[] {
  const text = withoutFences(markdown).replaceAll(/`[^`\n]*`/g, "");
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...references].map(([, link = ""]) => link);
}

function resolves(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(target)) return false;
  return anchor === undefined || (target.endsWith(".md") && anchorsOf(read(target)).has(anchor));
}

/** As GitHub makes them from headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(markdown).matchAll(/^#{1,6}\s+(.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = words
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^([ \t]*)(```|~~~)[^]*?^\1\2[ \t]*$/gm, "");
}

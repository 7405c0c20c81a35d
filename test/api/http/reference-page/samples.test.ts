import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parseInput } from "../../../../src/api/create-api.ts";
import { listEndpoints } from "../../../../src/api/http/openapi/describe-api.ts";
import { fieldsOf } from "../../../../src/api/http/reference-page/fields.ts";
import { renderReference } from "../../../../src/api/http/reference-page/render-reference.ts";
import { writeCurl, writeTypeScript } from "../../../../src/api/http/reference-page/samples.ts";

const all = listEndpoints().map((one) => ({ ...one, id: `${one.group}.${one.name}` }));

/** What a shell would give curl. */
function readCommand(command: string): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }; TOKEN=t OPERATOR_TOKEN=o; ${command}`;
  return execFileSync("sh", ["-c", shell]).toString().split("\0").slice(0, -1);
}

describe("the samples of the reference", () => {
  it.each(all)("$id: curl sends what the call takes, and no less than it needs", ({ endpoint }) => {
    const words = readCommand(writeCurl(endpoint, fieldsOf(endpoint)));
    const after = (word: string) => words[words.indexOf(word) + 1] ?? "";
    const address = new URL(words.find((word) => word.startsWith("http")) ?? "");
    expect(words.includes("-X") ? after("-X") : "GET").toBe(endpoint.method);
    const path = endpoint.path.split("/").map((part) => (part.startsWith("{") ? "[^/]+" : part));
    expect(address.pathname).toMatch(new RegExp(`^${path.join("/")}$`));
    const body: unknown = words.includes("-d") ? JSON.parse(after("-d")) : {};
    const inPath = Object.fromEntries(
      endpoint.path.split("/").flatMap((part, at) => {
        const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
        return name ? [[name, decodeURIComponent(address.pathname.split("/")[at] ?? "")]] : [];
      }),
    );
    const input = { ...Object.fromEntries(address.searchParams), ...Object(body), ...inPath };
    expect(() => parseInput(endpoint, input)).not.toThrow();
    const token = {
      none: undefined,
      app_key: "Authorization: Bearer t",
      operator: "Authorization: Bearer o",
    };
    expect(words.find((word) => word.startsWith("Authorization"))).toBe(token[endpoint.auth]);
  });

  it.each(all.filter(({ endpoint }) => endpoint.auth !== "operator"))(
    "$id: TypeScript calls the client with an input that it takes",
    ({ group, name, endpoint }) => {
      const written = writeTypeScript({ group, name, endpoint }, fieldsOf(endpoint));
      const [, called, input = ""] = /^const answer = await network\.([\w.]+)\((.*)\);$/s.exec(written) ?? [];
      expect(called).toBe(`${group}.${name}`);
      const parsed: unknown = JSON.parse(input.replaceAll(/([{,] )(\w+):/g, '$1"$2":'));
      expect(() => parseInput(endpoint, parsed)).not.toThrow();
    },
  );

  it("are no more than a page of 250 KB with all else", () => {
    expect(renderReference().length).toBeLessThan(250_000);
  });
});

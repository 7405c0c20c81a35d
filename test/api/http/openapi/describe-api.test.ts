import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "../../../../src/api/http/openapi/describe-api.ts";
import { clientErrors, hubErrors, registryErrors } from "../../../../src/errors.ts";
import { toJsonSchema } from "../../../../src/api/http/openapi/json-schema.ts";
import { makeExample } from "../../../../src/api/http/openapi/make-example.ts";
import type { Endpoint } from "../../../../src/contract/endpoint.ts";
import { contract, operatorContract } from "../../../../src/contract/index.ts";

const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) });
const { paths, ...rest } = Document.parse(JSON.parse(JSON.stringify(describeApi("# A guide"))));

const endpoints = Object.values({ ...contract, ...operatorContract }).flatMap((group): Endpoint[] =>
  Object.values(group),
);

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe("the OpenAPI document", () => {
  it("passes an independent linter with nothing to say", async () => {
    expect(await lint({ paths, ...rest })).toEqual([]);
  });

  it("which would say something", async () => {
    const { "/v1/channel": broken, ...others } = paths;
    const get = { ...broken?.["get"], responses: {} };
    expect(await lint({ ...rest, paths: { ...others, "/v1/channel": { get } } })).not.toEqual([]);
  });

  it("has every endpoint under its path and aliases, and nothing else", () => {
    const expected = endpoints.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map((each) => `${method} ${each}`),
    );
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  it("says where an answer has an ETag, and what asking with it gives", () => {
    const tagged = Object.entries(paths).filter(([, { get }]) => JSON.stringify(get ?? {}).includes("ETag"));
    expect(tagged.map(([path]) => path)).toEqual(["/v2/all-channels"]);
    expect(tagged[0]?.[1]["get"]).toMatchObject({
      parameters: [{ name: "If-None-Match", in: "header" }],
      responses: { 200: { headers: { ETag: {} } }, 304: {} },
    });
  });

  it("names every reason for which a call may be refused", () => {
    const text = JSON.stringify(paths);
    expect(
      Object.keys({ ...clientErrors, ...registryErrors, ...hubErrors }).filter(
        (reason) => !text.includes(`"${reason}"`),
      ),
    ).toEqual([]);
  });

  it.each(endpoints)("$method $path: its examples are what the contract takes and gives", (endpoint) => {
    const input = makeExample(toJsonSchema(endpoint.input, "input"));
    expect(endpoint.input.safeParse(input).error).toBeUndefined();
    const result = makeExample(toJsonSchema(endpoint.result, "output"));
    expect(endpoint.result.safeParse(result).error).toBeUndefined();
  });
});

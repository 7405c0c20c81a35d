import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const folder = ".github/workflows";
const Workflow = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      "timeout-minutes": z.number(),
      steps: z.array(z.union([z.object({ run: z.string() }), z.object({ uses: z.string() })])),
    }),
  ),
});

const read = (path: string): unknown => parse(readFileSync(path, "utf8"));

it.each(readdirSync(folder))("%s runs nothing but scripts of .ci, which exist", (name) => {
  const { jobs } = Workflow.parse(read(`${folder}/${name}`));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap((step) => ("run" in step ? [step.run] : []));
  expect(commands).not.toEqual([]);
  for (const command of commands) {
    const [script = ""] = command.split(" ");
    expect(script).toMatch(/^\.ci\//);
    accessSync(script, constants.X_OK);
  }
});

it("CI runs on the oldest Node that package.json promises, and on the developers' one", () => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const { node } = z
    .object({
      jobs: z.object({
        test: z.object({ strategy: z.object({ matrix: z.object({ node: z.array(z.number()) }) }) }),
      }),
    })
    .parse(read(`${folder}/ci.yml`)).jobs.test.strategy.matrix;
  expect(engines.node).toBe(`>=${Math.min(...node)}.19`);
  expect(node).toContain(Number(readFileSync(".nvmrc", "utf8")));
});

it.each(["bug", "feature"])("the issue form %s has fields with ids of their own", (name) => {
  const { body } = z
    .object({
      name: z.string(),
      description: z.string(),
      body: z.array(z.object({ type: z.string(), id: z.string().optional(), attributes: z.object({}) })),
    })
    .parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
  const ids = body.flatMap(({ id, type }) => (type === "markdown" ? [] : [id]));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(undefined);
});

it("the dependency bot looks after folders that exist", () => {
  const { updates } = z
    .object({
      version: z.literal(2),
      updates: z.array(
        z.object({ directory: z.string().optional(), directories: z.array(z.string()).optional() }),
      ),
    })
    .parse(read(".github/dependabot.yml"));
  const folders = updates.flatMap(({ directory = "/", directories = [directory] }) => directories);
  expect(folders.filter((folder) => !existsSync(`.${folder}`))).toEqual([]);
});

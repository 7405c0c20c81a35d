import { join, relative } from "node:path";
import { createVitest, type TestCase, type Vitest } from "vitest/node";
import type { Fault } from "./fault.ts";

/** A test that ran. */
export interface Ran {
  file: string;
  /** "group > test". */
  name: string;
  failed: boolean;
  problem: string | undefined;
}

/** Tests of one copy of the project, which stay compiled from one run to the next; each run has processes of its own. */
export interface Runner {
  run(tests: Fault["tests"], changed?: string): Promise<Ran[]>;
  close(): Promise<void>;
}

export async function openRunner(root: string, project: "main" | "engines"): Promise<Runner> {
  const ran: Ran[] = [];
  const vitest = await createVitest("test", {
    root,
    watch: false,
    project: [project],
    maxWorkers: 1,
    // Whatever else the machine does: what fails by a limit proves nothing.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    silent: true,
    reporters: [{ onTestCaseResult: (test) => void ran.push(describeRan(root, test)) }],
  });
  return {
    async run(tests, changed) {
      ran.length = 0;
      if (changed !== undefined) vitest.invalidateFile(join(root, changed));
      const end = changed === undefined ? () => {} : limitRun(vitest);
      await vitest.runTestSpecifications(specify(vitest, root, tests)).finally(end);
      if (changed !== undefined) vitest.invalidateFile(join(root, changed));
      // Those that were not asked for are skipped.
      return ran.filter(({ file, name }) => (tests[file] ?? []).some((asked) => isOf(name, asked)));
    },
    close: () => vitest.close(),
  };
}

/** Milliseconds: with a fault tests may go round in a circle; they end with their process, and prove nothing. */
const longestRun = 5 * 60_000;

function limitRun(vitest: Vitest): () => void {
  // Asked twice, vitest waits for nothing.
  const timers = [0, 5_000].map((pause) =>
    setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), longestRun + pause),
  );
  return () => timers.forEach((timer) => clearTimeout(timer));
}

function specify(vitest: Vitest, root: string, tests: Fault["tests"]) {
  const [project] = vitest.projects;
  if (!project) throw new Error("vitest has no such project");
  return Object.entries(tests).map(([file, names]) => {
    const testNamePattern = new RegExp(`^(${names.map(toPattern).join("|")})( |$)`);
    return project.createSpecification(join(root, file), { testNamePattern });
  });
}

/** Vitest joins a group's name and a test's by a space when it looks for one. */
function toPattern(name: string): string {
  return name.replaceAll(" > ", " ").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function describeRan(root: string, test: TestCase): Ran {
  const { state, errors } = test.result();
  const problem = errors?.[0]?.message.split("\n")[0];
  return {
    file: relative(root, test.module.moduleId),
    name: test.fullName,
    failed: state === "failed",
    problem,
  };
}

/** Whether a test is the one that is named, or of the group that is. */
export function isOf(name: string, asked: string): boolean {
  return name === asked || name.startsWith(`${asked} > `);
}

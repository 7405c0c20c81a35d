import { format } from "node:util";
import * as chai from "chai";
import {
  addCustomEqualityTesters,
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";

type Work = (...given: unknown[]) => unknown;

/** A test with what is done before and after it, as it stands in a file. */
export interface CollectedTest {
  id: string;
  name: string;
  before: Work[];
  after: Work[];
  run: () => unknown;
}

export const collected: CollectedTest[] = [];

interface Suite {
  names: string[];
  before: Work[];
  after: Work[];
}

let file = "";
let suite: Suite = { names: [], before: [], after: [] };

/** What is collected from now on belongs to the file. */
export function beginFile(path: string): void {
  file = path;
  suite = { names: [], before: [], after: [] };
}

function collect(title: string, work: Work, given: unknown[] = []): void {
  const names = [...suite.names, title];
  const name = names.join(" ");
  const same = collected.filter((test) => test.name === name && test.id.startsWith(`${file}#`)).length;
  const id = same === 0 ? `${file}#${name}` : `${file}#${name} (${same + 1})`;
  collected.push({ id, name, before: suite.before, after: suite.after, run: () => work(...given) });
}

function titleOf(title: string, given: unknown[]): string {
  return format(title, ...given.slice(0, title.match(/%[sdifjo]/g)?.length ?? 0));
}

export const it = Object.assign((title: string, work: Work) => collect(title, work), {
  runIf: (condition: boolean) => (title: string, work: Work) => {
    if (condition) collect(title, work);
  },
  each: (table: readonly unknown[]) => (title: string, work: Work) => {
    for (const row of table) {
      const given = Array.isArray(row) ? row : [row];
      collect(titleOf(title, given), work, given);
    }
  },
});
export const test = it;

export function describe(title: string, work: () => void): void {
  const outer = suite;
  suite = { names: [...outer.names, title], before: [...outer.before], after: [...outer.after] };
  work();
  suite = outer;
}

export const beforeEach = (work: Work) => void suite.before.push(work);
export const afterEach = (work: Work) => void suite.after.unshift(work);
/** Nothing is ever over: the next mutant runs the same tests. */
export const afterAll = (_: Work) => {};

interface Extending {
  extend: (target: unknown, matchers: unknown) => void;
}

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
const shared = globalThis as unknown as Record<string | symbol, unknown>;
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  shared[ASYMMETRIC_MATCHERS_OBJECT],
  { addEqualityTesters: addCustomEqualityTesters, poll },
);
shared[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0 }, expect as never);
(chai.expect as unknown as Extending).extend(expect, customMatchers);

/** Asks again until it is so. */
function poll(read: () => unknown, { timeout }: { timeout: number }) {
  return {
    async toBe(wanted: unknown) {
      const end = Date.now() + timeout;
      while ((await read()) !== wanted) {
        if (Date.now() > end) throw new Error(`never became ${String(wanted)}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { entryPoint } from "../../entry-point.ts";
import { AppError, asAppError } from "../../errors.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";
import { createFairQueue } from "./fair-queue.ts";
import {
  progressCells,
  readRules,
  type ConsiderAnswer,
  type ConsiderTask,
  type EvaluationMessage,
  type ExplainAnswer,
  type ExplainTask,
  type Refusal,
  type RulesMessage,
} from "./messages.ts";
import type { RulesInForce } from "../versions/rules-of-server.ts";
import type { Edits } from "./rule-thread.ts";

/** Milliseconds that a thread may take for one task, for one rule's look at one event, and before others get a turn. */
const limits = { task: 20_000, look: 2000, slice: 500 } as const;
/** How much of one server or person may wait. */
const mostWaiting = 20;
/** Read rules are kept, so many characters of files. */
const keptCharacters = 4_000_000;
/** Megabytes of one thread's heap: what needs more ends its thread, not the process. */
const mostMemory = 512;

/** What the rules said of an event, one answer for each of the rule sets; or what is still to be asked. */
export type Considered = { asks: string[] } | { evaluations: Evaluation[] };

/**
 * Threads in which rules are read and evaluated, for only their authors know how long that takes. `queue` names on whose
 * behalf: each has one task running, and its turn among the others. A thread that takes too long is ended and replaced.
 */
export interface RuleThreads {
  /** Throws `invalid_file`, also for a file that takes too long. */
  read(queue: string, source: string): Promise<RuleSet>;
  /** Makes a rule file of another. Throws what the change throws. */
  edit<N extends keyof Edits>(queue: string, name: N, ...args: Parameters<Edits[N]>): Promise<string>;
  /**
   * Looks at events, the first of them at least; the others where there is time. Adds to `tooSlow`, which is one set of
   * rule ids for each of the rule sets, rules that took too long: they cannot tell any more.
   */
  consider(
    queue: string,
    ruleSets: readonly RuleSet[],
    events: Pick<ConsiderTask, "items" | "final" | "botFid">,
    tooSlow: readonly Set<string>[],
  ): Promise<Considered[]>;
  explain(queue: string, task: ExplainTask): Promise<ExplainAnswer>;
  /** What servers have in force, as last found: see findRules. */
  inForce: Map<string, RulesInForce>;
  close(): Promise<void>;
}

export function createRuleThreads(together = usualThreads()): RuleThreads {
  const fair = createFairQueue(together, mostWaiting);
  const known = new Map<string, Promise<RuleSet>>();
  let pool: Piscina | undefined;

  function start(): Piscina {
    const { file, execArgv } = entryPoint(import.meta.url, "rule-thread");
    return new Piscina({
      filename: file,
      execArgv,
      minThreads: 1,
      maxThreads: together,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
  }

  /** Throws TookTooLong, with the rule at which the thread was. */
  async function run<T>(name: string, task: unknown): Promise<T> {
    pool ??= start();
    const progress = new SharedArrayBuffer(progressCells.length * Int32Array.BYTES_PER_ELEMENT);
    const controller = new AbortController();
    const watching = watchProgress(progress, () => controller.abort());
    try {
      // Each name is a function of rule-thread.ts, whose type its caller states.
      return (await pool.run({ task, progress }, { name, signal: controller.signal })) as T;
    } catch (error) {
      if (controller.signal.aborted || isOutOfMemory(error)) throw new TookTooLong(watching.where(), error);
      throw error;
    } finally {
      watching.stop();
    }
  }

  async function readAnew(source: string): Promise<RuleSet> {
    const answer = await twice(() => run<{ rules: RulesMessage } | { refused: Refusal }>("read", source));
    if (!answer) {
      known.delete(source);
      throw new AppError(
        "invalid_file",
        "The file takes too long to read: use fewer rules, or smaller ones.",
      );
    }
    if ("refused" in answer) throw toError(answer.refused);
    return readRules(source, answer.rules);
  }

  return {
    read(queue, source) {
      const reading = known.get(source) ?? fair.run(queue, () => readAnew(source));
      known.delete(source);
      known.set(source, reading);
      forgetOldest(known, keptCharacters);
      // Whoever asks hears of it; nobody's turn is no answer to the next who asks.
      reading.catch((error: unknown) => void (asAppError(error, "invalid_file") ?? known.delete(source)));
      return reading;
    },

    edit: (queue, name, ...args) =>
      fair.run(queue, async () => {
        const answer = await twice(() =>
          run<{ text: string } | { refused: Refusal }>("edit", { name, args }),
        );
        if (!answer) throw new AppError("invalid_file", "The file takes too long to change.");
        if ("refused" in answer) throw toError(answer.refused);
        return answer.text;
      }),

    consider: (queue, ruleSets, events, tooSlow) =>
      fair.run(queue, async () => {
        const suspects = new Set<string>();
        for (;;) {
          const task: ConsiderTask = {
            ...events,
            sources: ruleSets.map(({ source }) => source),
            tooSlow: tooSlow.map((ids) => [...ids]),
            slice: limits.slice,
          };
          try {
            const { items, slow } = await run<ConsiderAnswer>("consider", task);
            for (const { set, ruleId } of slow) tooSlow[set]?.add(ruleId);
            return items.map((item) => ("asks" in item ? item : readEvaluations(ruleSets, item.evaluations)));
          } catch (error) {
            if (!(error instanceof TookTooLong) || !error.where) throw error;
            // Not at once: the machine may have slept.
            const { set, rule } = error.where;
            const id = ruleSets[set]?.rules[rule]?.id ?? "";
            if (suspects.has(`${set} ${id}`)) tooSlow[set]?.add(id);
            suspects.add(`${set} ${id}`);
          }
        }
      }),

    explain: (queue, task) =>
      fair.run(queue, async () => {
        const answer = await twice(() => run<ExplainAnswer>("explainEvent", task));
        if (answer) return answer;
        throw new AppError("invalid_file", "The rules take too long to look at this event.");
      }),

    inForce: new Map(),

    async close() {
      await pool?.destroy();
    },
  };
}

function usualThreads(): number {
  return Math.max(2, Math.min(4, availableParallelism()));
}

class TookTooLong extends Error {
  readonly where: { set: number; rule: number } | undefined;

  constructor(where: TookTooLong["where"], cause: unknown) {
    super("a thread of the rules took too long", { cause });
    this.where = where;
  }
}

/** Tells when a task takes too long: all of it, or one rule's look at one event. */
function watchProgress(progress: SharedArrayBuffer, tell: () => void) {
  const cells = new Int32Array(progress);
  const read = (cell: number) => Atomics.load(cells, cell);
  let begun: number | undefined;
  let [looks, since] = [0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    if (read(progressCells.begun) === 0) return;
    begun ??= now;
    if (read(progressCells.looks) !== looks) [looks, since] = [read(progressCells.looks), now];
    const isLooking = read(progressCells.rule) > 0;
    if (now - begun > limits.task || (isLooking && now - since > limits.look)) tell();
  }, 100);
  return {
    stop: () => clearInterval(timer),
    where() {
      const rule = read(progressCells.rule);
      return rule > 0 ? { set: read(progressCells.set), rule: rule - 1 } : undefined;
    },
  };
}

/** Once more where it took too long, for a machine may be busy; undefined where it did again. */
async function twice<T>(act: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
    }
  }
  return undefined;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function toError({ code, message, mistakes }: Refusal): AppError {
  return new AppError(code, message, { mistakes });
}

function forgetOldest(known: Map<string, unknown>, most: number): void {
  let characters = [...known.keys()].reduce((sum, { length }) => sum + length, 0);
  for (const source of known.keys()) {
    if (characters <= most || known.size === 1) return;
    known.delete(source);
    characters -= source.length;
  }
}

const byId = new WeakMap<RuleSet, Map<string, Rule>>();

function readEvaluations(
  ruleSets: readonly RuleSet[],
  evaluations: readonly EvaluationMessage[],
): { evaluations: Evaluation[] } {
  return {
    evaluations: evaluations.map((evaluation, set) => {
      const rules = ruleSets[set];
      if (!evaluation.asked) return evaluation;
      if (!rules) throw new Error("a thread evaluated rules that it was not given");
      const ids = byId.get(rules) ?? new Map(rules.rules.map((rule) => [rule.id, rule]));
      byId.set(rules, ids);
      const verdicts = evaluation.verdicts.flatMap(({ ruleId, truth, tree }) => {
        const rule = ids.get(ruleId);
        return rule ? { rule, truth, tree } : [];
      });
      return { asked: true, verdicts };
    }),
  };
}

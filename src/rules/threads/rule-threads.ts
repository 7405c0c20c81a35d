import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import { entryPoint } from "../../entry-point.ts";
import { AppError, asAppError } from "../../errors.ts";
import { report } from "../../telemetry.ts";
import { createThreadPool } from "../../thread-pool.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Rule, RuleSet, RulesInForce } from "../evaluate/rule-set.ts";
import type { NeedMessage } from "../facts/load-facts.ts";
import type { CommonTrait, TraitSearch } from "../suggest/common-traits.ts";
import {
  progressCells,
  readRules,
  type ConsiderAnswer,
  type ConsiderTask,
  type EvaluationMessage,
  type ExplainAnswer,
  type ExplainTask,
  type PossibleRules,
  type Refusal,
  type RulesMessage,
  type VerdictMessage,
} from "./messages.ts";
import type { Edits } from "./rule-thread.ts";

/** Milliseconds for one task, for one rule on one event, and before others get a turn. */
const limits = { task: 20_000, rule: 2000, slice: 500 } as const;
/** How many tasks of one server or person can wait behind the running one. */
const maxWaiting = 20;
/** Parsed rules are cached, up to this many characters of files. */
const keptCharacters = 4_000_000;
/** The active rules of this many servers are cached. */
const maxCached = 1000;
/** Heap limit of one thread, in megabytes. A task that exceeds it ends its thread, not the process. */
const maxMemory = 512;

/** The rules' results on the event, one per rule set; or the facts that they still need. */
type Considered = { needs: NeedMessage[]; possible: PossibleRules } | { evaluations: Evaluation[] };

/**
 * Threads that parse and evaluate rules, because the running time depends on their authors. `queue` is the server or
 * person: each has one task running, and they take turns. A thread that takes too long is ended and replaced.
 */
export interface RuleThreads {
  /** Throws `invalid_file`, also for a file that takes too long. */
  read(queue: string, source: string): Promise<RuleSet>;
  /** Edits a rule file. Rethrows errors of the edit. */
  edit<N extends keyof Edits>(queue: string, name: N, ...args: Parameters<Edits[N]>): Promise<string>;
  /**
   * Evaluates events: the first, and as many more as there is time for. Adds rules that took too long to `tooSlow`, a set
   * of rule ids per rule set: those rules are not run again.
   */
  consider(
    queue: string,
    ruleSets: readonly RuleSet[],
    events: Pick<ConsiderTask, "items" | "final" | "botFid">,
    tooSlow: readonly Set<string>[],
  ): Promise<Considered[]>;
  explain(queue: string, task: ExplainTask): Promise<ExplainAnswer>;
  /** Traits that casts share; empty if finding them takes too long. */
  findTraits(queue: string, search: TraitSearch): Promise<CommonTrait[]>;
  /** Servers' active rules as last found: see findRules. */
  inForce: LRUCache<string, RulesInForce>;
  close(): Promise<void>;
}

export function createRuleThreads(together = usualThreads()): RuleThreads {
  const inTurn = createTurns();
  const known = new LRUCache<string, Promise<RuleSet>>({
    maxSize: keptCharacters,
    sizeCalculation: (_, source) => source.length + 1,
  });
  const threads = createThreadPool(entryPoint(import.meta.url, "rule-thread"), {
    minThreads: 1,
    maxThreads: together,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: maxMemory },
  });

  /** Throws TookTooLong, with the rule that the thread was running. */
  async function run<T>(name: string, task: unknown): Promise<T> {
    const progress = new SharedArrayBuffer(progressCells.length * Int32Array.BYTES_PER_ELEMENT);
    const controller = new AbortController();
    const watching = watchProgress(progress, () => controller.abort());
    const began = performance.now();
    let result: "done" | "failed" = "failed";
    try {
      // Each name is a function of rule-thread.ts, whose type the caller states.
      const answer = (await threads.run({ task, progress }, { name, signal: controller.signal })) as T;
      result = "done";
      return answer;
    } catch (error) {
      if (controller.signal.aborted || isOutOfMemory(error)) throw new TookTooLong(watching.where(), error);
      throw error;
    } finally {
      watching.stop();
      report("castellan:rules.ran", { task: name, result, seconds: (performance.now() - began) / 1000 });
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
      const reading = known.get(source) ?? inTurn(queue, () => readAnew(source));
      known.set(source, reading);
      // An unreadable file stays unreadable; any other failure is not cached.
      reading.catch((error: unknown) => void (asAppError(error, "invalid_file") ?? known.delete(source)));
      return reading;
    },

    edit: (queue, name, ...args) =>
      inTurn(queue, async () => {
        const answer = await twice(() =>
          run<{ text: string } | { refused: Refusal }>("edit", { name, args }),
        );
        if (!answer) throw new AppError("invalid_file", "The file takes too long to change.");
        if ("refused" in answer) throw toError(answer.refused);
        return answer.text;
      }),

    consider: (queue, ruleSets, events, tooSlow) =>
      inTurn(queue, async () => {
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
            const rulesById = ruleSets.map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule])));
            return items.map((item) =>
              "needs" in item ? item : { evaluations: readEvaluations(rulesById, item.evaluations) },
            );
          } catch (error) {
            if (!(error instanceof TookTooLong) || !error.where) throw error;
            // Not the first time, because the machine may have been asleep.
            const { set, rule } = error.where;
            const id = ruleSets[set]?.rules[rule]?.id ?? "";
            if (suspects.has(`${set} ${id}`)) tooSlow[set]?.add(id);
            suspects.add(`${set} ${id}`);
          }
        }
      }),

    explain: (queue, task) =>
      inTurn(queue, async () => {
        const answer = await twice(() => run<ExplainAnswer>("explainEvent", task));
        if (answer) return answer;
        throw new AppError("invalid_file", "Evaluating the rules on this event takes too long.");
      }),

    findTraits: (queue, search) =>
      inTurn(queue, async () => (await twice(() => run<CommonTrait[]>("findTraits", search))) ?? []),

    inForce: new LRUCache({ max: maxCached }),

    close: () => threads.close(),
  };
}

/**
 * Runs the tasks of one name one after the other. The pool takes tasks in order of arrival, so names take turns. Throws
 * `rate_limited` if too many tasks of a name are waiting.
 */
export function createTurns() {
  const queues = new Map<string, { open: number; last: Promise<unknown> }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? { open: 0, last: Promise.resolve() };
    if (queue.open > maxWaiting) {
      throw new AppError(
        "rate_limited",
        "Castellan is still busy with earlier requests. Try again in a moment.",
      );
    }
    queues.set(name, queue);
    queue.open += 1;
    const done = queue.last.then(work);
    queue.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      queue.open -= 1;
      if (queue.open === 0) queues.delete(name);
    }
  };
}

function usualThreads(): number {
  return Math.max(2, Math.min(4, availableParallelism()));
}

class TookTooLong extends Error {
  readonly where: { set: number; rule: number } | undefined;

  constructor(where: TookTooLong["where"], cause: unknown) {
    super("a rule thread took too long", { cause });
    this.where = where;
  }
}

/** Calls back if a task takes too long in total, or for one rule on one event. */
function watchProgress(progress: SharedArrayBuffer, onTooLong: () => void) {
  const cells = new Int32Array(progress);
  const read = (cell: number) => Atomics.load(cells, cell);
  let begun: number | undefined;
  let [runs, since] = [0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    if (read(progressCells.begun) === 0) return;
    begun ??= now;
    if (read(progressCells.runs) !== runs) [runs, since] = [read(progressCells.runs), now];
    const isRunning = read(progressCells.rule) > 0;
    if (now - begun > limits.task || (isRunning && now - since > limits.rule)) onTooLong();
  }, 100);
  return {
    stop: () => clearInterval(timer),
    where() {
      const rule = read(progressCells.rule);
      return rule > 0 ? { set: read(progressCells.set), rule: rule - 1 } : undefined;
    },
  };
}

/** Retries once after a timeout, because the machine may have been busy; undefined if it times out again. */
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

/** Evaluations of each rule set, whose rules are given by id. */
function readEvaluations(
  rulesById: readonly ReadonlyMap<string, Rule>[],
  evaluations: readonly EvaluationMessage[],
): Evaluation[] {
  return evaluations.map((evaluation, set) => {
    const read = (verdicts: readonly VerdictMessage[]) =>
      verdicts.flatMap(({ ruleId, ...verdict }) => {
        const rule = rulesById[set]?.get(ruleId);
        return rule ? { rule, ...verdict } : [];
      });
    if (evaluation.asked) return { asked: true, verdicts: read(evaluation.verdicts) };
    const { undecided, ...rest } = evaluation;
    return { ...rest, ...(undecided && { undecided: read(undecided) }) };
  });
}

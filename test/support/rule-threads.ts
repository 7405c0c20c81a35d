import { createRuleThreads, type RuleThreads } from "../../src/rules/threads/rule-threads.ts";

/** One pool for all tests of a process: starting it takes longer than most of them, and it keeps nothing of theirs. */
export const ruleThreads: RuleThreads = createRuleThreads(1);

// No test pays for the start of the first thread.
await ruleThreads.read("warm", "version: 1\nrules: []");

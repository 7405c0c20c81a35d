/** What a condition can say. `unknown` is never guessed away. */
// @ts-nocheck

export type Truth = boolean | "unknown";

export function negate(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth;
}

/** Combines truths: `decisive` (false for all, true for any) beats unknown, unknown beats the rest. */
export function combine<T>(decisive: boolean, parts: readonly T[], truthOf: (part: T) => Truth): Truth {
  let truth: Truth = !decisive;
  for (const part of parts) {
    const found = truthOf(part);
    if (found === decisive) return decisive;
    if (found === "unknown") truth = "unknown";
  }
  return truth;
}

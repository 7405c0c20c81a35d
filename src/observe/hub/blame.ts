import type { BotContext } from "../../bot-context.ts";
import { asAppError, isOfService } from "../../errors.ts";

/** What fails when the hub does not give what it is asked for. */
export type Fault =
  /** The hub as a whole: it is away, overloaded, or does not let us in. */
  | "hub"
  /** What was to be in this answer: a smaller one may do. */
  | "page"
  /** This question, however small: it is refused, or its answer is none. */
  | "question";

/** Whether it may be for what is in the page. */
export function mayBePage(error: unknown): boolean {
  const { failure, status = 0 } = asAppError(error) ?? {};
  return failure === "dropped" || failure === "too_large" || status >= 500;
}

/**
 * A hub that cannot write out one event or cast drops the connection for every page that holds it (H8), as does one that
 * dies; only asking it something else tells. One that hangs is not asked for less: each question takes as long.
 */
export async function blame(
  { network }: Pick<BotContext, "network">,
  error: unknown,
  signal?: AbortSignal,
): Promise<Fault> {
  if (asAppError(error)?.failure === "too_large") return "page";
  if (mayBePage(error)) {
    return network.hub.info({}, { signal }).then(
      () => "page",
      // A hub without this route answers nevertheless.
      (answer: unknown) => (asAppError(answer)?.status === 404 ? "page" : "hub"),
    );
  }
  return isOfService(error) ? "hub" : "question";
}

import type { BotContext } from "../../bot-context.ts";
import { asAppError, isOfService } from "../../errors.ts";

/** What is at fault when the hub does not return what it was asked for. */
export type HubFault =
  /** The hub as a whole: it is down, overloaded, or does not let us in. */
  | "hub"
  /** Something in this answer: a smaller page may succeed. */
  | "page"
  /** This question, however small: the hub refuses it, or its answer is unusable. */
  | "question";

/** Whether something in the page may be at fault. */
export function mayBePage(error: unknown): boolean {
  const { failure, status = 0 } = asAppError(error) ?? {};
  return failure === "dropped" || failure === "too_large" || status >= 500;
}

/**
 * A hub that cannot serialize one event or cast drops the connection for every page that holds it (H8). So does a hub that
 * dies. Another question tells the two apart. A hub that hangs is not asked for less, because each question takes as long.
 */
export async function classifyHubError(
  { network }: Pick<BotContext, "network">,
  error: unknown,
  signal?: AbortSignal,
): Promise<HubFault> {
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

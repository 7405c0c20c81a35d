import type { BotContext } from "../../bot-context.ts";
import { asAppError, isOfService } from "../../errors.ts";

/** Where the fault lies when the hub fails to return a response. */
export type HubFault =
  /** The hub as a whole: it is down, overloaded, or rejects us. */
  | "hub"
  /** Something in this response: a smaller page may succeed. */
  | "page"
  /** This request, however small: the hub rejects it, or its response is unusable. */
  | "question";

/** Whether something in the page may be at fault. */
export function mayBePage(error: unknown): boolean {
  const { failure, status = 0 } = asAppError(error) ?? {};
  return failure === "dropped" || failure === "too_large" || status >= 500;
}

/**
 * A hub that cannot serialize one event or cast drops the connection for every page that contains it (H8). So does a hub
 * that dies. A second request tells the two apart. A hub that hangs gets no smaller requests: each takes just as long.
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
      // A hub without this route still responds.
      (answer: unknown) => (asAppError(answer)?.status === 404 ? "page" : "hub"),
    );
  }
  return isOfService(error) ? "hub" : "question";
}

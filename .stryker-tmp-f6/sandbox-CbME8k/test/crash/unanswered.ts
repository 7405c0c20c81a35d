// @ts-nocheck
import { asAppError } from "../../src/errors.ts";

/** No answer came: whether it was done is unknown to whoever asked, and nothing may be concluded. */
export class Unanswered extends Error {}

/** Calls the network; a connection that broke and a server that just starts are no answers. */
export async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const none = asAppError(error, "network_unreachable") ?? asAppError(error, "not_ready");
    throw none ? new Unanswered(none.message, { cause: error }) : error;
  }
}

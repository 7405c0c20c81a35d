import type { Context } from "../context.ts";
import type { Answer, RestRequest } from "./exchange.ts";

/** The names after a colon in "/channels/:room/messages/:message". */
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

export interface Route {
  method: string;
  pattern: RegExp;
  /** Interaction endpoints carry a token in their path instead of the bot's header. */
  open: boolean;
  handle: (context: Context, request: RestRequest) => Answer | Promise<Answer>;
}

export function route<Path extends string>(
  method: string,
  path: Path,
  handle: (context: Context, request: RestRequest<Parameters<Path>>) => Answer | Promise<Answer>,
): Route {
  return {
    method,
    pattern: pathPattern(path),
    open: /^\/(interactions|webhooks)\//.test(path),
    // The pattern is made from the same path as the type of the parameters.
    handle: handle as Route["handle"],
  };
}

/** What fits "/channels/:room/messages", with a group for each name. */
export function pathPattern(path: string): RegExp {
  const source = path.replaceAll(/:(\w+)/g, (_, name: string) => `(?<${name}>[^/]+)`);
  return new RegExp(`^${source}$`);
}

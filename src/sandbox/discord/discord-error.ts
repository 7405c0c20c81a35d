/** One entry of an "Invalid Form Body" response. */
export interface FormIssue {
  path: readonly (string | number)[];
  code: string;
  message: string;
}

interface ErrorOptions {
  issues?: readonly FormIssue[];
  headers?: Record<string, string>;
  /** Members of the response besides message, code and errors. */
  more?: Record<string, unknown>;
  /** True if a correct client would never have sent the request. */
  violation?: boolean;
}

/** A Discord error response: an HTTP status and one of its documented JSON error codes. */
export class DiscordError extends Error {
  override readonly name = "DiscordError";
  readonly status: number;
  readonly code: number;
  readonly issues: readonly FormIssue[];
  readonly headers: Record<string, string>;
  readonly more: Record<string, unknown>;
  readonly violation: boolean;

  constructor(status: number, code: number, message: string, options: ErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = options.issues ?? [];
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
    this.violation = options.violation ?? false;
  }
}

export function unauthorized(): DiscordError {
  return new DiscordError(401, 0, "401: Unauthorized");
}

export function unknown(what: keyof typeof unknownCodes): DiscordError {
  return new DiscordError(404, unknownCodes[what], `Unknown ${what}`);
}

const unknownCodes = {
  Channel: 10003,
  Guild: 10004,
  Member: 10007,
  Message: 10008,
  User: 10013,
  Webhook: 10015,
  "application command": 10063,
};

export function missingAccess(): DiscordError {
  return new DiscordError(403, 50001, "Missing Access");
}

export function missingPermissions(): DiscordError {
  return new DiscordError(403, 50013, "Missing Permissions");
}

/** An archived thread cannot be changed. */
export function threadArchived(): DiscordError {
  return new DiscordError(400, 50083, "Thread is archived");
}

export function blockedByAutoMod(): DiscordError {
  return new DiscordError(400, 200_000, "Message was blocked by automatic moderation");
}

/** `wait` in seconds. */
export function slowedDown(wait: number): DiscordError {
  return new DiscordError(429, 20_016, "This action cannot be performed due to slowmode rate limit", {
    headers: { "retry-after": String(Math.ceil(wait)) },
    more: { retry_after: wait, global: false },
  });
}

export function emptyMessage(): DiscordError {
  return new DiscordError(400, 50006, "Cannot send an empty message", { violation: true });
}

export function invalidForm(issues: readonly FormIssue[]): DiscordError {
  return new DiscordError(400, 50035, "Invalid Form Body", { issues, violation: true });
}

/** The JSON body of an error response. Issues become Discord's nested `errors` object. */
export function errorBody(error: DiscordError): Record<string, unknown> {
  const body: Record<string, unknown> = { message: error.message, code: error.code, ...error.more };
  if (error.issues.length > 0) body["errors"] = nestIssues(error.issues);
  return body;
}

interface IssueTree {
  [key: string]: IssueTree | { code: string; message: string }[];
}

function nestIssues(issues: readonly FormIssue[]): IssueTree {
  const root: IssueTree = {};
  for (const { path, code, message } of issues) {
    let node = root;
    for (const key of path) {
      const next = node[key];
      node = next === undefined || Array.isArray(next) ? (node[key] = {}) : next;
    }
    const list = Array.isArray(node["_errors"]) ? node["_errors"] : [];
    node["_errors"] = [...list, { code, message }];
  }
  return root;
}

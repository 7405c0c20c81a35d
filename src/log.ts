import { hostname } from "node:os";
import pino, { type DestinationStream, type Logger } from "pino";
import { standardError } from "./log-destination.ts";
import { currentSpan } from "./spans.ts";

export type Log = Logger;

/**
 * Writes JSON lines to standard error, because standard output is for results only. No secret gets into the log: errors
 * are reduced to the fields named below, without sent data or rejected rows; texts shaped like secrets and those given
 * to `hideInLog` are struck out of every line. `fields` are added to every line, and in a trace its id.
 */
export function createLog(
  level: string,
  fields: Readonly<Record<string, string>> = {},
  destination?: DestinationStream,
): Log {
  const secrets = new Set<string>();
  const log: Log = pino(
    {
      level,
      base: { pid: process.pid, hostname: hostname(), ...fields },
      redact: ["token", "appKey", "requestBody", "*.token", "*.appKey", "*.requestBody", "*.rawError"],
      serializers: { err: describeError },
      formatters: { log: describeErrors },
      mixin: addTraceId,
      hooks: { streamWrite: (line) => strikeOut(line, secrets) },
    },
    destination ??
      standardError((dropped) =>
        log.error({ dropped }, `${dropped} log lines were dropped because the reader was too slow`),
      ),
  );
  hidden.set(log, secrets);
  return log;
}

/** A new object, because pino adds the line's fields to it. */
function addTraceId(): object {
  const span = currentSpan.getStore();
  return span ? { trace_id: span.traceId } : {};
}

export const silentLog: Log = pino({ level: "silent" });

const hidden = new WeakMap<Log, Set<string>>();
/** A shorter secret may be an ordinary word. */
const shortestSecret = 12;

/** Strikes these out of all later lines of this log and its children. */
export function hideInLog(log: Log, secrets: Iterable<string>): void {
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    for (const form of [secret, secret.replace(/^0x/, ""), JSON.stringify(secret).slice(1, -1)]) {
      hidden.get(log)?.add(form);
    }
  }
}

const struck = "***";
/** Tokens and credentials in addresses, and headers that carry tokens. */
const shapes: readonly [RegExp, string][] = [
  [/(\/(?:webhooks|interactions)\/\d+\/)[\w.%-]+/g, `$1${struck}`],
  [/([?&][\w-]*(?:token|key|secret)=)[^&\s"'\\]+/gi, `$1${struck}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/"]*:)[^\s@/"]+@/gi, `$1${struck}@`],
  [/\b(Bot|Bearer) [\w.~+/=-]{8,}/g, `$1 ${struck}`],
];

function strikeOut(line: string, secrets: ReadonlySet<string>): string {
  let clean = line;
  for (const secret of secrets) clean = clean.replaceAll(secret, struck);
  for (const [shape, instead] of shapes) clean = clean.replace(shape, instead);
  return clean;
}

/** An error's logged fields besides its message: never the data sent, nor the row that a database refused. */
const reportedFields = [
  "code",
  "status",
  "statusCode",
  "method",
  "url",
  "errno",
  "syscall",
  "address",
  "port",
  "retryAfter",
  "mayHaveHappened",
  "severity",
  "constraint",
  "schema",
  "table",
  "column",
  "routine",
] as const;
const deepestCause = 5;

function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(fields).some((value) => value instanceof Error)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, describeError(value)]));
}

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const told: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const field of reportedFields) {
    const value: unknown = Reflect.get(error, field);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      told[field] = value;
  }
  if (depth === deepestCause) return told;
  if (error.cause instanceof Error) told["cause"] = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError) {
    told["errors"] = error.errors.slice(0, 5).map((one) => describeError(one, depth + 1));
  }
  return told;
}

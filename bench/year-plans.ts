import { relative } from "node:path";
import { Client } from "pg";
import { administer } from "./bench-database.ts";

/** A statement as PostgreSQL ran it, from all its runs. */
export interface Measured {
  text: string;
  /** What the program was doing, and the files that sent it. */
  during: string;
  from: string[];
  runs: number;
  /** The fastest run, because other work on the machine slows the others. */
  ms: number;
  /** Pages of 8 kB that the slowest run read. */
  pages: number;
  /** Large tables that were read from beginning to end. */
  scans: Set<string>;
  plan: string;
  values: unknown[];
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Loops": number;
  "Actual Total Time": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
}

const root = new URL("..", import.meta.url).pathname;
/** Numbers of parameters differ with the length of lists. */
const normalize = (text: string) =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\(?\$\d+\)?(, \(?\$\d+\)?)+/g, "$…")
    .replaceAll(/\$\d+/g, "$")
    .trim();

/** Lets the server send the plan of each statement to the client that sent it, once it has run. */
export async function explainEverything(server: string, name: string): Promise<void> {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
  };
  for (const [setting, value] of Object.entries(settings)) {
    await administer(server, `alter database ${name} set ${setting} = '${value}'`);
  }
}

/** Collects the plans that the server sends from now on. `large` are the tables that must not be read as a whole. */
export function collectPlans(large: ReadonlySet<string>) {
  const measured = new Map<string, Measured>();
  const sent = new Map<string, { from: string[]; values: unknown[] }>();
  const listening = new WeakSet<Client>();
  let during = "";
  // The driver's method, called on its client below.
  // oxlint-disable-next-line typescript/unbound-method
  const original = Client.prototype.query;

  function receive(message: string): void {
    const json = /plan:\n([\s\S]*)/.exec(message)?.[1];
    if (json === undefined) return;
    const { "Query Text": text, Plan: plan } = JSON.parse(json) as { "Query Text": string; Plan: Plan };
    const key = normalize(text);
    const ms = plan["Actual Total Time"];
    const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    const known = measured.get(key);
    const { from = [], values = [] } = sent.get(text) ?? {};
    const one = known ?? {
      text: key,
      during,
      from,
      runs: 0,
      ms,
      pages: -1,
      scans: new Set(),
      plan: json,
      values,
    };
    if (pages > one.pages) Object.assign(one, { pages, plan: json, during, values });
    measured.set(key, one);
    one.runs += 1;
    one.ms = pages > one.pages / 2 ? Math.min(one.ms, ms) : one.ms;
    for (const table of findScans(plan, large)) one.scans.add(table);
  }

  Object.assign(Client.prototype, {
    query(this: Client, ...parameters: unknown[]): unknown {
      if (!listening.has(this)) {
        listening.add(this);
        this.on("notice", ({ message = "" }) => receive(message));
      }
      const [query, values] = parameters;
      const { text, values: own } =
        typeof query === "string" ? { text: query, values } : (query as { text?: string; values?: unknown });
      if (typeof text === "string") sent.set(text, { from: findSenders(), values: (own ?? []) as unknown[] });
      return Reflect.apply(original, this, parameters);
    },
  });
  Error.stackTraceLimit = 60;
  return { measured, begin: (what: string) => void (during = what) };
}

/** Files of the product that wait for the statement, the innermost first. */
function findSenders(): string[] {
  const paths = (new Error().stack ?? "").matchAll(/(?:file:\/\/)?(\/[^\s():]+\.ts):\d+/g);
  const files = [...paths].map(([, path = ""]) => relative(root, path));
  return [
    ...new Set(
      files.filter((file) => /^(src|commands|workers)\//.test(file) && !file.startsWith("src/database/")),
    ),
  ];
}

function findScans(plan: Plan, large: ReadonlySet<string>): string[] {
  const name = plan["Relation Name"] ?? "";
  const own = plan["Node Type"] === "Seq Scan" && plan["Actual Loops"] > 0 && large.has(name) ? [name] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((inner) => findScans(inner, large))];
}

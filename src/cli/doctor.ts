import { z } from "zod";
import { parseConfig, type Config } from "../config.ts";
import { asAppError, type AppError } from "../errors.ts";
import { originOf } from "../listening.ts";
import { createLog, type Log } from "../log.ts";
import { examine } from "../start/doctor/examine.ts";
import { describeFindings, unknown, wrong, type Finding } from "../start/doctor/finding.ts";
import { openReader } from "../start/open-reader.ts";
import { askInstance } from "./ask-instance.ts";
import type { TextOutput } from "../text/show-controls.ts";

const Findings: z.ZodType<Finding[]> = z.array(
  z.object({
    part: z.string(),
    state: z.enum(["ok", "wrong", "unknown"]),
    message: z.string(),
    fix: z.string().exactOptional(),
  }),
);

/** Checks everything that Castellan needs, and explains how to fix problems. Returns the exit code: 1 if anything is wrong. */
export async function runDoctor(isJson: boolean, out: TextOutput): Promise<number> {
  const findings = await diagnose();
  out.write(isJson ? `${JSON.stringify(findings, null, 2)}\n` : describeFindings(findings));
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}

async function diagnose(): Promise<Finding[]> {
  const config = readConfig();
  if (Array.isArray(config)) return config;
  const log = createLog("error");
  // Any process can read a server's database; an embedded one belongs to the running process.
  const found = await askRunning(config);
  return typeof found === "string" ? examineAtRest(config, log, found) : found;
}

/** The configuration, or its mistakes. With mistakes nothing else can be checked. */
function readConfig(): Config | Finding[] {
  try {
    return parseConfig();
  } catch (error) {
    const known = asAppError(error, "invalid_configuration");
    if (!known) throw error;
    return describeMistakes(known);
  }
}

function describeMistakes({ message, mistakes }: AppError): Finding[] {
  const fix = "castellan setup asks for missing settings; .env.example explains every setting.";
  if (mistakes.length === 0) return [wrong("Settings", message, fix)];
  return mistakes.map(({ path, message }) =>
    wrong("Settings", `${path} ${message.replace(/[?.]?$/, (end) => end || ".")}`, fix),
  );
}

const Rejection = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

/** What the running instance finds, or why it does not examine itself. */
async function askRunning(config: Config): Promise<Finding[] | string> {
  const url = originOf({ host: config.HOST, port: config.PORT });
  try {
    const response = await askInstance(config, "/operator/doctor", { signal: AbortSignal.timeout(60_000) });
    const answer: unknown = await response.json();
    const findings = Findings.safeParse(answer).data;
    if (response.ok && findings) {
      const asked: Finding = { part: "Instance", state: "ok", message: `runs at ${url}` };
      return [asked, ...findings];
    }
    const reason = Rejection.safeParse(answer).data?.errors[0]?.message;
    return reason === undefined ? `none answers at ${url}` : `the one at ${url} says: ${reason}`;
  } catch {
    // No process, another program, or no data: check everything from here.
    return `none answers at ${url}`;
  }
}

/** Checks everything from this process, because no instance does. */
async function examineAtRest(config: Config, log: Log, why: string): Promise<Finding[]> {
  const { reader, instead } = await openData(config);
  try {
    const findings = await examine({ config, log, data: reader });
    return [unknown("Instance", why), ...instead, ...findings];
  } finally {
    await reader?.close();
  }
}

async function openData(config: Config) {
  try {
    return { reader: await openReader(config), instead: [] };
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return { reader: undefined, instead: [describeNoData(known)] };
  }
}

function describeNoData({ code, message }: AppError): Finding {
  if (code === "directory_in_use") {
    return unknown(
      "Database",
      "belongs to a running process. Only that process knows its channels and rooms.",
      "If it is starting, try again later. Otherwise give doctor the HOST, PORT and OPERATOR_TOKEN of that process.",
    );
  }
  if (code === "invalid_configuration") return unknown("Database", message, "castellan start makes it.");
  return wrong("Database", message, "Start the database server, or check DATABASE_URL and DATA_DIR.");
}

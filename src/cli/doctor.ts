import { z } from "zod";
import { parseConfig, type Config } from "../config.ts";
import { asAppError, type AppError } from "../errors.ts";
import { createLog, type Log } from "../log.ts";
import { examine } from "../start/doctor/examine.ts";
import { describeFindings, unknown, wrong, type Finding } from "../start/doctor/finding.ts";
import { openReader } from "../start/open-reader.ts";
import { askInstance, instanceOf } from "./ask-instance.ts";
import type { TextOutput } from "../text/show-controls.ts";

const Findings: z.ZodType<Finding[]> = z.array(
  z.object({
    part: z.string(),
    state: z.enum(["ok", "wrong", "unknown"]),
    message: z.string(),
    fix: z.string().exactOptional(),
  }),
);

/** Says of everything that Castellan needs whether it is there, and how to fix what is not. Gives the exit code: 1 where anything is wrong. */
export async function runDoctor(isJson: boolean, out: TextOutput): Promise<number> {
  const findings = await diagnose();
  out.write(isJson ? `${JSON.stringify(findings, null, 2)}\n` : describeFindings(findings));
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}

async function diagnose(): Promise<Finding[]> {
  const config = readConfig();
  if (Array.isArray(config)) return config;
  const log = createLog("error");
  // A server's database may be looked at by anybody; an embedded one belongs to the process that runs.
  return (await askRunning(config)) ?? examineAtRest(config, log);
}

/** The configuration, or what is wrong with it: with it nothing else can be looked at. */
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
  const fix = "castellan setup asks for what is missing; .env.example explains every setting.";
  if (mistakes.length === 0) return [wrong("Settings", message, fix)];
  return mistakes.map(({ path, message }) =>
    wrong("Settings", `${path} ${message.replace(/[?.]?$/, (end) => end || ".")}`, fix),
  );
}

/** undefined where none runs with this data. */
async function askRunning(config: Config): Promise<Finding[] | undefined> {
  try {
    const response = await askInstance(config, "/operator/doctor", { signal: AbortSignal.timeout(60_000) });
    const answer: unknown = await response.json();
    const findings = Findings.safeParse(answer).data;
    if (response.ok && findings) {
      const asked: Finding = { part: "Instance", state: "ok", message: `runs at ${instanceOf(config).url}` };
      return [asked, ...findings];
    }
    return undefined;
  } catch {
    // Nobody there, somebody else, or no data: all of it is looked at from here then.
    return undefined;
  }
}

/** Looks from here, where no instance answers. */
async function examineAtRest(config: Config, log: Log): Promise<Finding[]> {
  const { reader, instead } = await openData(config);
  try {
    const findings = await examine({ config, log, data: reader });
    return [unknown("Instance", `none answers at ${instanceUrl(config)}`), ...instead, ...findings];
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
    return { reader: undefined, instead: [describeNoData(config, known)] };
  }
}

function describeNoData(config: Config, { code, message }: AppError): Finding {
  if (code === "directory_in_use") {
    return unknown(
      "Database",
      `belongs to a process that runs, but does not answer at ${instanceUrl(config)}.`,
      "Give doctor the HOST, PORT and OPERATOR_TOKEN that it was started with; channels and rooms are known to it alone.",
    );
  }
  if (code === "invalid_configuration") return unknown("Database", message, "castellan start makes it.");
  return wrong("Database", message, "Start the database server, or check DATABASE_URL and DATA_DIR.");
}

function instanceUrl({ HOST, PORT }: Config): string {
  return `http://${HOST}:${PORT}`;
}

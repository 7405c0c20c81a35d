import type { BotContext } from "../bot-context.ts";
import { inBackground } from "../observe/live/live-context.ts";
import type { Examined } from "./doctor/examine.ts";
import type { Finding } from "./doctor/finding.ts";
import type { Resource } from "./resources.ts";
import type { StartContext } from "./start-context.ts";

/** Milliseconds from the start until the check, so that urgent work comes first. */
const afterStart = 3_000;

/** Lets the operator run doctor in this process. Its code is loaded on the first request. */
export function offerExamination(
  { health, ...parts }: Pick<StartContext, "config" | "log" | "health">,
  data: ExaminedData,
): void {
  health.examination = { run: () => examineNow(parts, data) };
}

type ExaminedData = Pick<BotContext, "database" | "network" | "botFid"> & Pick<Examined, "refusals">;

async function examineNow(
  { config, log }: Pick<StartContext, "config" | "log">,
  data: ExaminedData,
  triesKey = true,
): Promise<Finding[]> {
  const { examine } = await import("./doctor/examine.ts");
  return examine({ config, log, data, refusals: data.refusals, triesKey });
}

/**
 * Runs doctor once, soon after the start, and logs the problems; everything that works continues. It is not urgent,
 * and all processes of an installation may start at once, so its calls for channels have a lower priority than
 * people's.
 */
export function examineSoon(
  { config, log }: Pick<StartContext, "config" | "log">,
  bot: ExaminedData & Pick<BotContext, "live">,
  after = afterStart,
): Resource {
  const look = async () => {
    const findings = await examineNow({ config, log }, inBackground(bot, "doctor"), false);
    const bad = findings.filter(({ state }) => state === "wrong");
    for (const { part, message, fix } of bad) log.error({ part, fix }, `${part}: ${message}`);
    log.info({ looked: findings.length, wrong: bad.length }, "castellan doctor has checked this instance");
  };
  const timer = setTimeout(() => {
    look().catch((err: unknown) => log.error({ err }, "castellan doctor failed"));
  }, after).unref();
  return { close: async () => clearTimeout(timer) };
}

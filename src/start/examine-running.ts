import type { BotContext } from "../bot-context.ts";
import { inBackground } from "../observe/live/live-context.ts";
import type { Examined } from "./doctor/examine.ts";
import type { Finding } from "./doctor/finding.ts";
import type { Resource } from "./resources.ts";
import type { StartContext } from "./start-context.ts";

/** Milliseconds from the start until it is looked at: what is urgent then comes first. */
const afterStart = 3_000;

/** Lets the operator ask this process what is wrong; what looks is loaded when somebody asks. */
export function offerExamination(
  { keys, health, ...parts }: Pick<StartContext, "config" | "log" | "keys" | "health">,
  data: ExaminedData,
): void {
  health.examination = {
    operatorToken: parts.config.OPERATOR_TOKEN ?? keys.operatorToken,
    run: () => examineNow(parts, data),
  };
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
 * Looks once, soon after the start, and says in the log what is wrong; what works goes on all the same. Nobody waits for it,
 * and all processes of an installation may start at once: what it asks of channels stands behind what people ask.
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
    log.info({ looked: findings.length, wrong: bad.length }, "castellan doctor has looked at this instance");
  };
  const timer = setTimeout(() => {
    look().catch((err: unknown) => log.error({ err }, "castellan doctor failed"));
  }, after).unref();
  return { close: async () => clearTimeout(timer) };
}

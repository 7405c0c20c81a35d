import type { BotContext } from "../bot-context.ts";
import type { Resource } from "./resources.ts";
import type { StartContext } from "./start-context.ts";

/** Milliseconds from the start until it is looked at: what is urgent then comes first. */
const afterStart = 3_000;

/** Lets the operator ask this process what is wrong; what looks is loaded when somebody asks. */
export function offerExamination(
  { config, log, keys, health }: Pick<StartContext, "config" | "log" | "keys" | "health">,
  data: Pick<BotContext, "database" | "network" | "botFid">,
): void {
  health.examination = {
    operatorToken: config.OPERATOR_TOKEN ?? keys.operatorToken,
    async run() {
      const { examine } = await import("./doctor/examine.ts");
      return examine({ config, log, data });
    },
  };
}

/** Looks once, soon after the start, and says in the log what is wrong; what works goes on all the same. */
export function examineSoon({ log, health }: Pick<StartContext, "log" | "health">): Resource {
  const look = async () => {
    const findings = (await health.examination?.run()) ?? [];
    const bad = findings.filter(({ state }) => state === "wrong");
    for (const { part, message, mend } of bad) log.error({ part, mend }, `${part}: ${message}`);
    log.info({ looked: findings.length, wrong: bad.length }, "castellan doctor has looked at this instance");
  };
  const timer = setTimeout(() => {
    look().catch((err: unknown) => log.error({ err }, "castellan doctor failed"));
  }, afterStart).unref();
  return { close: async () => clearTimeout(timer) };
}

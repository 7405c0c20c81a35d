import type { BotContext } from "../bot-context.ts";
import { createApi } from "../api/create-api.ts";
import { createRegistrySigner } from "../api/signatures.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import { createLog } from "../log.ts";
import { readHistory } from "./bot-settings.ts";
import { readConfiguredKeys } from "./keys.ts";
import { openLiveNetwork } from "./live-network.ts";
import { readNetworkSettings } from "./network-settings.ts";
import { openExistingDatabase } from "./open-database.ts";

/** A read-only view of an installation's data. */
export interface Reader extends Pick<BotContext, "database" | "network" | "clock" | "log" | "botFid"> {
  settings: Pick<BotContext["settings"], "history">;
  close(): Promise<void>;
}

/** Opens an installation's data. Throws `invalid_configuration` if there is none, `directory_in_use` while it runs. */
export async function openReader(config: Config): Promise<Reader> {
  const keys = readConfiguredKeys(config);
  if (!keys) {
    throw new AppError(
      "invalid_configuration",
      `There is no Castellan data in DATA_DIR (${config.DATA_DIR}).`,
    );
  }
  const log = createLog("error");
  const database = await openExistingDatabase(config);
  const settings = readNetworkSettings(config);
  const registry = createRegistrySigner(keys.registryKey, settings.nameDomain);
  const machine = { config, clock: systemClock, log };
  const { network, clock } =
    config.NETWORK === "live"
      ? await openLiveNetwork({ ...machine, database })
      : {
          ...machine,
          network: createApi({ ...machine, database, settings, registry }).network(config.BOT_FID),
        };
  return {
    database,
    network,
    clock,
    log,
    botFid: config.BOT_FID,
    settings: { history: readHistory(config) },
    close: () => database.close(),
  };
}

import { createBreakers } from "../../src/client/breakers.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { LiveCalls } from "../../src/contract/channel-events.ts";
import type { Network } from "../../src/contract/index.ts";
import { silentLog } from "../../src/log.ts";
import { createCallBudget, type BudgetOptions } from "../../src/observe/live/call-budget.ts";
import type { LiveContext } from "../../src/observe/live/live-context.ts";
import { seed as appKey } from "../client/far-client.ts";
import { botFid, type World } from "../support/world.ts";
import { witnessesOf } from "./witnesses.ts";

/** A bot of a test that asks the client API at this address, as a process that knows nothing of what others keep in memory. */
export function readLive<Context extends World>(
  context: Context,
  url: string,
  { limits, pause }: Pick<BudgetOptions, "limits" | "pause">,
): Context & LiveContext {
  const { clock, database } = context;
  const budget = createCallBudget({ database, clock, limits, ...(pause && { pause }) });
  const breakers = createBreakers({ clock, log: silentLog, random: () => 1 });
  const openAs = (purpose: string | undefined) =>
    createClient({
      clientUrl: url,
      registryUrl: url,
      hubUrl: url,
      signer: { fid: botFid, privateKey: appKey },
      clock,
      log: silentLog,
      // The double always answers, however busy the machine is: what does not come in time would be a failure of the network.
      timeouts: { attempt: 60_000, deadline: 0 },
      random: () => 0,
      breakers,
      budget,
      purpose,
    });
  const clients = new Map<string, Network & LiveCalls>();
  const background = (purpose: string) => {
    const client = clients.get(purpose) ?? openAs(purpose);
    clients.set(purpose, client);
    return client;
  };
  const network = { ...openAs(undefined), hub: context.network.hub };
  return {
    ...context,
    network,
    live: { background, budget, witnesses: witnessesOf([{ hub: network.hub }]) },
  };
}

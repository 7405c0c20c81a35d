import { afterAll, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { systemClock } from "../../src/clock.ts";
import { parseConfig } from "../../src/config.ts";
import type { CallBudget } from "../../src/client/create-caller.ts";
import { createCallBudget } from "../../src/observe/live/call-budget.ts";
import { usualLimits } from "../../src/observe/live/call-limits.ts";
import { examineSoon } from "../../src/start/examine-running.ts";
import { startLiveNetwork } from "../live/live-network.ts";
import { openTestDatabase } from "../support/database.ts";
import { collectLog } from "../support/log.ts";
import { linkGuild } from "../support/world.ts";
import { witnessesOf } from "../live/witnesses.ts";

const botFid = 9001;

const [database, live] = await Promise.all([openTestDatabase(), startLiveNetwork()]);
afterAll(() => Promise.all([database.close(), live.close()]));

it("looks at channels as a task of its own, which leaves room for people, also where many processes start", async () => {
  const clock = systemClock;
  await linkGuild({ database, clock }, "farcaster", "1");
  const { client, registry, hub } = live;
  const urls = { clientUrl: client.url, registryUrl: registry.url, hubUrl: hub.url };
  const reach = (budget: CallBudget, purpose?: string) => createClient({ ...urls, budget, purpose });
  const budget = createCallBudget({ database, clock, limits: usualLimits });
  const background = (purpose: string) => reach(budget, purpose);
  const bot = {
    database,
    botFid,
    network: reach(budget),
    live: { background, budget, witnesses: witnessesOf() },
  };
  const { log, lines } = collectLog();
  const looking = examineSoon({ config: parseConfig({}), log }, bot, 0);
  await vi.waitFor(
    () => expect(lines.map(({ msg }) => msg)).toContain("castellan doctor has checked this instance"),
    { timeout: 60_000 },
  );
  await looking.close();
  expect(await budget.readUse()).toMatchObject([{ route: "/v1/channel", byPurpose: { doctor: 1 } }]);
});

import { expect, it } from "vitest";
import type { LiveReading } from "../../../src/observe/live/call-budget.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import { readChannelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { watchNetwork } from "../../support/observer.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [] });

/** How often the network is asked who moderates a channel in which somebody casts every ten seconds for ten minutes. */
async function countAsked(live: LiveReading | undefined): Promise<number> {
  const called: string[] = [];
  const network = watchNetwork(engine.context.network, called);
  const context = createRuleContext({ ...engine.context, network, ...(live && { live }) }, engine.context);
  for (let cast = 0; cast < 60; cast++) {
    expect(await readChannelRoles(context, "memes")).toMatchObject({ value: { owner: 1, moderators: [2] } });
    engine.network.context.clock.advance(10);
  }
  return called.length;
}

it("A busy channel's roles cost the live network a call every two minutes, whatever is cast there", async () => {
  expect(await countAsked(undefined)).toBe(60);
  expect(await countAsked({} as LiveReading)).toBe(5); // only whether there is one counts
});

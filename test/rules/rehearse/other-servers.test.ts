import { sql } from "kysely";
import { expect, test } from "vitest";
import { rehearse } from "../../../src/rules/rehearse/rehearse.ts";
import { recordStatements } from "../../support/database.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { database } = engine.network.context;

const plan = { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, timeoutMs: 60_000 };
const run = () => rehearse(engine.context, { ...plan, before: undefined, after: ruleSetOf(rule()) });

test("a rehearsal does not read what happened in other servers' channels", async () => {
  await engine.append(engine.cast("airdrop"));
  const alone = await recordStatements(run);
  await sql`
    insert into castellan.events (id, source_key, kind, channel_id, occurred_at, observed_at_ms, depth, data)
    select 1000 + n, 'far ' || n, 'cast.created', 'far', 2000000000, 0, 0, '{}' from generate_series(1, 20000) n
  `.execute(database.query);
  expect(await run()).toMatchObject({ events: 1, done: 1 });
  expect((await recordStatements(run)).length - alone.length).toBeLessThan(10);
});

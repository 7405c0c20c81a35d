import type { WorkerContext } from "../../workers/index.ts";
import type { BotContext } from "../bot-context.ts";
import type { Drawer } from "../drawing/drawer.ts";
import { refreshBulks } from "../feed/deliver/refresh-bulks.ts";
import { queueFeedRows } from "../feed/feed-rows.ts";
import { queueNotices } from "../feed/notices/queue-notices.ts";
import { queueWebhooks } from "../integrations/queue-webhooks.ts";
import { claimEvents, recordClaims } from "../moderation/cases/claim.ts";
import { createProposeRuleAction } from "../moderation/cases/propose-rule-action.ts";
import { hasKnownRights } from "../moderation/known-rights.ts";
import { createInviteListener } from "../moderation/become-moderator.ts";
import { createAppendEvents } from "../observe/events.ts";
import { createHubShards } from "../observe/hub/shards.ts";
import { storeFingerprints } from "../rules/conditions/duplicate.ts";
import { createRuleContext } from "../rules/context.ts";
import { storeAddresses } from "../rules/conditions/same-address.ts";
import { storeReplyPrints } from "../rules/conditions/same-reply.ts";
import { queueEvaluations } from "../rules/pending/queue-evaluations.ts";

/** The context of workers and commands. */
export type BotHalf = WorkerContext & { drawer: Drawer };

/** The dependencies of the bot half that it does not create. */
export type BotParts = Omit<BotContext, "appendEvents" | "hubShards" | "hasKnownRights"> &
  Pick<BotHalf, "rooms" | "ruleThreads" | "drawer">;

/** Connects the parts of the bot half in any process: the readers of events, and the actions of rules. */
export function wireBot({ rooms, ruleThreads, drawer, ...parts }: BotParts): BotHalf {
  // First the cases that caused the events, then rules and rooms.
  const appendEvents = createAppendEvents({
    claim: claimEvents,
    fanOut: [
      recordClaims,
      storeFingerprints,
      storeAddresses,
      storeReplyPrints,
      queueEvaluations(parts),
      queueFeedRows(parts),
      refreshBulks(parts),
      queueNotices(parts),
      queueWebhooks(parts),
      createInviteListener(parts),
    ],
  });
  const propose = createProposeRuleAction(parts.clock);
  const hubShards = createHubShards(parts);
  return {
    ...createRuleContext(
      { ...parts, hubShards, appendEvents, hasKnownRights: (actor) => hasKnownRights(parts, actor) },
      { ruleThreads, propose },
    ),
    rooms,
    drawer,
  };
}

import { bans } from "../baseline/bans.ts";
import { bot } from "../baseline/bot.ts";
import { feed } from "../baseline/feed.ts";
import { linkLists } from "../baseline/link-lists.ts";
import { moderation } from "../baseline/moderation.ts";
import { network } from "../baseline/network.ts";
import { observe } from "../baseline/observe.ts";
import { outbox } from "../baseline/outbox.ts";
import { retention } from "../baseline/retention.ts";
import { rulesActs } from "../baseline/rules-acts.ts";
import { rules } from "../baseline/rules.ts";

/** The whole schema, as the steps up to the one called 0200-standard-names left it. */
export const up = [
  network,
  retention,
  moderation,
  bot,
  observe,
  bans,
  feed,
  rules,
  rulesActs,
  linkLists,
  outbox,
].join("\n");

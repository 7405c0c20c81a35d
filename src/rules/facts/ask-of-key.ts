import { Platform } from "../../contract/verifications.ts";
import type { Ask } from "../evaluate/fact.ts";
import { askAuthorNames } from "./author-names.ts";
import { askCases, askStrikes } from "./author-record.ts";
import { askBlockers } from "./blockers.ts";
import { askChannelNames, channelGroups } from "./channel-names.ts";
import { askChannelRoles } from "./channel-roles.ts";
import { askDuplicates } from "./duplicates.ts";
import { askFollowing } from "./following.ts";
import { askHistory, historyEvents, historyScopes } from "./history.ts";
import { askMembership } from "./membership.ts";
import { askNameHistory } from "./name-history.ts";
import { askPrimaryAddress } from "./primary-address.ts";
import { askRestriction } from "./restriction.ts";
import { askRewardRank } from "./reward-rank.ts";
import { askStarterPack } from "./starter-pack.ts";
import { askVerification } from "./verification.ts";

const simple: readonly Ask<unknown>[] = [
  askAuthorNames,
  askBlockers,
  askCases,
  askChannelRoles,
  askFollowing,
  askMembership,
  askNameHistory,
  askPrimaryAddress,
  askRestriction,
  askRewardRank,
  askStrikes,
  ...channelGroups.map(askChannelNames),
  ...Platform.options.map(askVerification),
];
const byKey = new Map(simple.map((ask) => [ask.key, ask]));

/** The question that a key stands for: rules are evaluated in threads of their own, and ask across by key. */
export function askOfKey(key: string): Ask<unknown> {
  const ask = byKey.get(key) ?? readKey(key);
  if (ask?.key !== key) throw new Error(`no question has the key ${key}`);
  return ask;
}

function readKey(key: string): Ask<unknown> | undefined {
  const [kind, ...words] = key.split(":");
  if (kind === "starter_pack") return askStarterPack(words.join(":"));
  const [first, second, third] = words;
  if (kind === "duplicates") {
    const by = historyScopes.find((scope) => scope === first);
    return by && askDuplicates(by, Number(second));
  }
  if (kind !== "history") return undefined;
  const event = historyEvents.find((event) => event === first);
  const by = historyScopes.find((scope) => scope === second);
  return event && by && askHistory(event, Number(third), by);
}

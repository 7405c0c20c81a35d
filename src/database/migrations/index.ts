import type { Tx } from "../database.ts";
import { up as network } from "./0001-network.ts";
import { up as catalog } from "./0002-network-catalog.ts";
import { up as blocks } from "./0003-network-blocks.ts";
import { up as signedKeys } from "./0004-network-signed-keys.ts";
import { up as changes } from "./0005-network-changes.ts";
import { up as bot } from "./0010-bot.ts";
import { up as observe } from "./0011-observe.ts";
import { up as feed } from "./0012-feed.ts";
import { up as moderation } from "./0013-moderation.ts";
import { up as rules } from "./0014-rules.ts";
import { up as rulesActs } from "./0015-rules-acts.ts";
import { up as ruleHistory } from "./0016-rule-history.ts";
import { up as ruleLanguage } from "./0017-rule-language.ts";
import { up as casesSeen } from "./0018-cases-seen.ts";
import { up as servers } from "./0019-servers.ts";
import { up as retention } from "./0020-retention.ts";
import { up as reviewTags } from "./0022-review-tags.ts";
import { up as tokenSigns } from "./0023-token-signs.ts";
import { up as casesUnclaimed } from "./0024-cases-unclaimed.ts";
import { up as hubShards } from "./0025-hub-shards.ts";
import { up as hubMessages } from "./0026-hub-messages.ts";
import { up as liveReading } from "./0027-live-reading.ts";
import { up as discordRefusals } from "./0029-discord-refusals.ts";
import { up as proofsAndParents } from "./0030-proofs-and-parents.ts";
import { up as hubReading } from "./0031-hub-reading.ts";
import { up as toldOnce } from "./0032-told-once.ts";
import { up as feedOrder } from "./0040-feed-order.ts";
import { up as feedDeeds } from "./0041-feed-deeds.ts";
import { up as roomSettings } from "./0042-room-settings.ts";
import { up as caseSubjects } from "./0050-case-subjects.ts";
import { up as caseDesk } from "./0051-case-desk.ts";
import { up as reviewMatters } from "./0055-review-matters.ts";
import { up as lockdowns } from "./0056-lockdowns.ts";
import { up as bulks } from "./0060-bulks.ts";
import { up as removedWhileWaiting } from "./0065-removed-while-waiting.ts";
import { up as reports } from "./0070-reports.ts";
import { up as notesRemoved } from "./0080-notes-removed.ts";
import { up as caseSearch } from "./0081-case-search.ts";
import { up as appeals } from "./0082-appeals.ts";
import { up as notices } from "./0083-notices.ts";
import { up as endedCases } from "./0085-ended-cases.ts";
import { up as consoleSessions } from "./0090-console-sessions.ts";
import { up as linkLists } from "./0120-link-lists.ts";
import { up as newEnds } from "./0100-new-ends.ts";
import { up as decidedReviews } from "./0115-decided-reviews.ts";
import { up as behaviour } from "./0130-behaviour.ts";
import { up as endedInTime } from "./0140-ended-in-time.ts";
import { up as botKeys } from "./0150-bot-keys.ts";
import { up as codeCastSigners } from "./0153-code-cast-signers.ts";
import { up as whatCastsShow } from "./0160-what-casts-show.ts";
import { up as unknownDecisions } from "./0180-unknown-decisions.ts";
import { up as restsOfPeople } from "./0181-rests-of-people.ts";
import { up as leftOutHosts } from "./0182-left-out-hosts.ts";
import { up as outcomes } from "./0190-outcomes.ts";
import { up as bannedUsers } from "./0101-banned-users.ts";
import { up as caseLetters } from "./0164-case-letters.ts";
import { up as missingIndexes } from "./0170-missing-indexes.ts";
import { up as actionSources } from "./0191-action-sources.ts";
import { up as noFeedTests } from "./0192-no-feed-tests.ts";
import { up as echoes } from "./0193-echoes.ts";
import { up as evaluationsOfServer } from "./0195-evaluations-of-server.ts";
import { up as outbox } from "./0197-outbox.ts";
import { up as savedReasons } from "./0198-saved-reasons.ts";
import { up as eventsInOrder } from "./0199-events-in-order.ts";
import { up as standardNames } from "./0200-standard-names.ts";
import { up as unshown } from "./0175-unshown.ts";
import { up as installation } from "./0176-installation.ts";

/** SQL, or a function where SQL alone cannot do it. Runs once, in a transaction. Never changed after a release. */
export type Migration = string | ((tx: Tx) => Promise<void>);

/**
 * In the order in which they run, which is that of their numbers but for 0018: it was written beside those before it, and
 * came after them. Some numbers stand for none.
 */
export const migrations: Record<string, Migration> = {
  "0001-network": network,
  "0002-network-catalog": catalog,
  "0003-network-blocks": blocks,
  "0004-network-signed-keys": signedKeys,
  "0005-network-changes": changes,
  "0010-bot": bot,
  "0011-observe": observe,
  "0012-feed": feed,
  "0013-moderation": moderation,
  "0014-rules": rules,
  "0015-rules-acts": rulesActs,
  "0016-rule-history": ruleHistory,
  "0017-rule-language": ruleLanguage,
  "0019-servers": servers,
  "0020-retention": retention,
  "0022-review-tags": reviewTags,
  // After 0022: databases exist that ran it so.
  "0018-cases-seen": casesSeen,
  "0023-token-signs": tokenSigns,
  "0024-cases-unclaimed": casesUnclaimed,
  "0025-hub-shards": hubShards,
  "0026-hub-messages": hubMessages,
  "0027-live-reading": liveReading,
  "0029-discord-refusals": discordRefusals,
  "0030-proofs-and-parents": proofsAndParents,
  "0031-hub-reading": hubReading,
  "0032-told-once": toldOnce,
  "0040-feed-order": feedOrder,
  "0041-feed-deeds": feedDeeds,
  "0042-room-settings": roomSettings,
  "0050-case-subjects": caseSubjects,
  "0051-case-desk": caseDesk,
  "0055-review-matters": reviewMatters,
  "0056-lockdowns": lockdowns,
  "0060-bulks": bulks,
  "0065-removed-while-waiting": removedWhileWaiting,
  "0070-reports": reports,
  "0080-notes-removed": notesRemoved,
  "0081-case-search": caseSearch,
  "0082-appeals": appeals,
  "0083-notices": notices,
  "0085-ended-cases": endedCases,
  "0090-console-sessions": consoleSessions,
  "0100-new-ends": newEnds,
  "0101-banned-users": bannedUsers,
  "0115-decided-reviews": decidedReviews,
  "0120-link-lists": linkLists,
  "0130-behaviour": behaviour,
  "0140-ended-in-time": endedInTime,
  "0150-bot-keys": botKeys,
  "0153-code-cast-signers": codeCastSigners,
  "0160-what-casts-show": whatCastsShow,
  "0164-case-letters": caseLetters,
  "0170-missing-indexes": missingIndexes,
  "0175-unshown": unshown,
  "0176-installation": installation,
  "0180-unknown-decisions": unknownDecisions,
  "0181-rests-of-people": restsOfPeople,
  "0182-left-out-hosts": leftOutHosts,
  "0190-outcomes": outcomes,
  "0191-action-sources": actionSources,
  "0192-no-feed-tests": noFeedTests,
  "0193-echoes": echoes,
  "0195-evaluations-of-server": evaluationsOfServer,
  "0197-outbox": outbox,
  "0198-saved-reasons": savedReasons,
  "0199-events-in-order": eventsInOrder,
  "0200-standard-names": standardNames,
};

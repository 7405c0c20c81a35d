import type { ConditionKind } from "../evaluate/condition.ts";
import { authorBlockedBy } from "./author-blocked-by.ts";
import { authorCasts } from "./author-casts.ts";
import { authorFid } from "./author-fid.ts";
import {
  authorFollowsChannel,
  authorIsMember,
  authorIsModerator,
  authorRestricted,
} from "./author-in-channel.ts";
import { authorHasPrimaryAddress } from "./author-has-primary-address.ts";
import { authorInStarterPack } from "./author-in-starter-pack.ts";
import { authorNameAge, authorNameChanges } from "./author-name-history.ts";
import { authorCases, authorStrikes } from "./author-record.ts";
import { authorRenamed } from "./author-renamed.ts";
import { authorRewardRank } from "./author-reward-rank.ts";
import { authorVerification } from "./author-verification.ts";
import {
  embedPictures,
  isReply,
  mentionsCount,
  text,
  textLength,
  textLinks,
  threadDepth,
} from "./cast-text.ts";
import { duplicate } from "./duplicate.ts";
import { embedDomain } from "./embed-domain.ts";
import { history, rate } from "./event-counts.ts";
import { linksKnownBad } from "./links-known-bad.ts";
import { linksLookAlike } from "./links-look-alike.ts";
import { authorName, name } from "./names.ts";
import { sameAddress } from "./same-address.ts";
import { sameReply } from "./same-reply.ts";
import { time } from "./time.ts";

/** All conditions that rules support. */
export const conditionKinds: readonly ConditionKind[] = [
  text,
  textLength,
  textLinks,
  mentionsCount,
  embedDomain,
  embedPictures,
  linksKnownBad,
  linksLookAlike,
  isReply,
  threadDepth,
  authorFid,
  authorName,
  authorIsMember,
  authorIsModerator,
  authorFollowsChannel,
  authorRestricted,
  authorStrikes,
  authorCases,
  authorCasts,
  authorNameAge,
  authorNameChanges,
  authorRenamed,
  authorVerification,
  authorInStarterPack,
  authorRewardRank,
  authorHasPrimaryAddress,
  authorBlockedBy,
  name,
  rate,
  duplicate,
  sameAddress,
  sameReply,
  history,
  time,
];

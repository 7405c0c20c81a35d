// @ts-nocheck
import type { ConditionKind } from "../evaluate/condition.ts";
import { authorBlockedBy } from "./author-blocked-by.ts";
import { authorCases } from "./author-cases.ts";
import { authorFid } from "./author-fid.ts";
import { authorFollowsChannel } from "./author-follows-channel.ts";
import { authorHasPrimaryAddress } from "./author-has-primary-address.ts";
import { authorInStarterPack } from "./author-in-starter-pack.ts";
import { authorIsMember } from "./author-is-member.ts";
import { authorIsModerator } from "./author-is-moderator.ts";
import { authorName } from "./author-name.ts";
import { authorNameAge } from "./author-name-age.ts";
import { authorNameChanges } from "./author-name-changes.ts";
import { authorRestricted } from "./author-restricted.ts";
import { authorRewardRank } from "./author-reward-rank.ts";
import { authorStrikes } from "./author-strikes.ts";
import { authorVerification } from "./author-verification.ts";
import { duplicate } from "./duplicate.ts";
import { embedDomain } from "./embed-domain.ts";
import { history } from "./history.ts";
import { isReply } from "./is-reply.ts";
import { mentionsCount } from "./mentions-count.ts";
import { name } from "./name.ts";
import { rate } from "./rate.ts";
import { text } from "./text.ts";
import { textLength } from "./text-length.ts";
import { textLinks } from "./text-links.ts";
import { threadDepth } from "./thread-depth.ts";
import { time } from "./time.ts";

/** What rules can ask. */
export const conditionKinds: readonly ConditionKind[] = [
  text,
  textLength,
  textLinks,
  mentionsCount,
  embedDomain,
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
  authorNameAge,
  authorNameChanges,
  authorVerification,
  authorInStarterPack,
  authorRewardRank,
  authorHasPrimaryAddress,
  authorBlockedBy,
  name,
  rate,
  duplicate,
  history,
  time,
];

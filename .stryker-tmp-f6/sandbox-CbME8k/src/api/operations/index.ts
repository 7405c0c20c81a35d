// @ts-nocheck
import type { Contract, OperatorContract } from "../../contract/index.ts";
import type { Operations } from "../operation.ts";
import { accountVerificationsOperations } from "./account-verifications.ts";
import { discoverActionsOperations, discoverComposerActionsOperations } from "./actions.ts";
import { blockedUsersOperations } from "./blocked-users.ts";
import { channelBansOperations } from "./channel-bans.ts";
import { channelFollowsOperations } from "./channel-follows.ts";
import { channelInvitesOperations } from "./channel-invites.ts";
import { channelMembersOperations } from "./channel-members.ts";
import { channelRestrictedUsersOperations } from "./channel-restricted-users.ts";
import { channelsOperations } from "./channels.ts";
import { hubOperations } from "./hub.ts";
import { moderatedCastsOperations } from "./moderated-casts.ts";
import { operatorGroupOperations } from "./operator.ts";
import { pinnedCastsOperations } from "./pinned-casts.ts";
import { primaryAddressesOperations } from "./primary-addresses.ts";
import { creatorRewardsOperations, developerRewardsOperations } from "./rewards.ts";
import { signedKeyAnswersOperations, signedKeyRequestsOperations } from "./signed-keys.ts";
import { starterPackMembersOperations } from "./starter-pack-members.ts";
import { registryInfoOperations, transfersOperations } from "./transfers.ts";

/** What stands behind each endpoint of the contract. */
export const networkOperations: Operations<Contract> = {
  channels: channelsOperations,
  channelFollows: channelFollowsOperations,
  channelMembers: channelMembersOperations,
  channelInvites: channelInvitesOperations,
  channelRestrictedUsers: channelRestrictedUsersOperations,
  channelBans: channelBansOperations,
  moderatedCasts: moderatedCastsOperations,
  pinnedCasts: pinnedCastsOperations,
  discoverActions: discoverActionsOperations,
  discoverComposerActions: discoverComposerActionsOperations,
  blockedUsers: blockedUsersOperations,
  accountVerifications: accountVerificationsOperations,
  creatorRewards: creatorRewardsOperations,
  developerRewards: developerRewardsOperations,
  primaryAddresses: primaryAddressesOperations,
  starterPackMembers: starterPackMembersOperations,
  signedKeyRequests: signedKeyRequestsOperations,
  signedKeyAnswers: signedKeyAnswersOperations,
  transfers: transfersOperations,
  registryInfo: registryInfoOperations,
  hub: hubOperations,
};

export const operatorOperations: Operations<OperatorContract> = { operator: operatorGroupOperations };

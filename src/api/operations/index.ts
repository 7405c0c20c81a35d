import type { Contract, OperatorContract } from "../../contract/index.ts";
import type { Implementation } from "../operation.ts";
import { accountVerificationsOperations, primaryAddressesOperations } from "./accounts.ts";
import { discoverActionsOperations, discoverComposerActionsOperations } from "./actions.ts";
import { blockedUsersOperations } from "./blocked-users.ts";
import { moderatedCastsOperations, pinnedCastsOperations } from "./casts.ts";
import { channelFollowsOperations, channelsOperations } from "./channels.ts";
import { hubOperations } from "./hub.ts";
import {
  channelBansOperations,
  channelInvitesOperations,
  channelMembersOperations,
  channelRestrictedUsersOperations,
} from "./membership.ts";
import { operatorGroupOperations } from "./operator.ts";
import { creatorRewardsOperations, developerRewardsOperations } from "./rewards.ts";
import { signedKeyAnswersOperations, signedKeyRequestsOperations } from "./signed-keys.ts";
import { starterPackMembersOperations } from "./starter-pack-members.ts";
import { registryInfoOperations, transfersOperations } from "./transfers.ts";

/** The implementation of each group; a missing one does not compile. */
type Implementations<Groups extends Record<string, Implementation["endpoints"]>> = {
  [G in keyof Groups]: Implementation<Groups[G]>;
};

/** The implementation of each endpoint. */
export const networkOperations: Implementations<Contract> = {
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

export const operatorOperations: Implementations<OperatorContract> = { operator: operatorGroupOperations };

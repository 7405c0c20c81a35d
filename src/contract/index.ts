import { discoverActions, discoverComposerActions } from "./actions.ts";
import { blockedUsers } from "./blocks.ts";
import { moderatedCasts, pinnedCasts } from "./casts.ts";
import { channelFollows, channels } from "./channels.ts";
import type { Calls } from "./endpoint.ts";
import { hub } from "./hub.ts";
import { channelBans, channelInvites, channelMembers, channelRestrictedUsers } from "./membership.ts";
import { operator } from "./operator.ts";
import { primaryAddresses } from "./primary-addresses.ts";
import { registryInfo, transfers } from "./registry.ts";
import { creatorRewards, developerRewards } from "./rewards.ts";
import { signedKeyAnswers, signedKeyRequests } from "./signed-keys.ts";
import { starterPackMembers } from "./starter-packs.ts";
import { accountVerifications } from "./verifications.ts";

/** Every endpoint of interface.md that is served, by group. */
export const contract = {
  channels,
  channelFollows,
  channelMembers,
  channelInvites,
  channelRestrictedUsers,
  channelBans,
  moderatedCasts,
  pinnedCasts,
  discoverActions,
  discoverComposerActions,
  blockedUsers,
  accountVerifications,
  creatorRewards,
  developerRewards,
  primaryAddresses,
  starterPackMembers,
  signedKeyRequests,
  signedKeyAnswers,
  transfers,
  registryInfo,
  hub,
};
export type Contract = typeof contract;

/** The network as one caller sees it, in process or over HTTP. */
export type Network = Calls<Contract>;

/** Calls that only the operator of an embedded network may make (docs/operate/hosting.md). */
export const operatorContract = { operator };
export type OperatorContract = typeof operatorContract;
export type Operator = Calls<OperatorContract>["operator"];

import type { Contract, OperatorContract } from "../../contract/index.ts";
import type { Operations } from "../operation.ts";
import { channelBans } from "./channel-bans.ts";
import { channelFollows } from "./channel-follows.ts";
import { channelInvites } from "./channel-invites.ts";
import { channelMembers, channelRestrictedUsers } from "./channel-members.ts";
import { channels } from "./channels.ts";
import { hub } from "./hub.ts";
import { registryInfo, transfers } from "./transfers.ts";

/** What stands behind each endpoint of the contract. */
export const networkOperations: Partial<Operations<Contract>> = {
  channels,
  channelFollows,
  channelMembers,
  channelInvites,
  channelRestrictedUsers,
  channelBans,
  transfers,
  registryInfo,
  hub,
};

export const operatorOperations: Partial<Operations<OperatorContract>> = {};

/**
 * The package `@castellan/client` (packages/client): a typed client of the three interfaces, ours or live. Calls return
 * the results in the interface's document, and throw AppError, whose `code` is the network's reason.
 */
export { AppError, type ErrorCode, type Mistake } from "../errors.ts";
export type { Action, ComposerAction } from "../contract/actions.ts";
export type { Block } from "../contract/blocks.ts";
export type { ModerationAction } from "../contract/casts.ts";
export type { ChannelEvent, Standing } from "../contract/channel-events.ts";
export type { Channel, ChannelFollower, FollowedChannel } from "../contract/channels.ts";
export type { CallOptions, Page, PageInput } from "../contract/endpoint.ts";
export type {
  HubEvent,
  HubMessage,
  /** As hubs return it: `data.castAddBody` has its text. */
  HubMessage as Cast,
  MessagePage,
  OnChainEvent,
  UsernameProof,
} from "../contract/hub.ts";
export type { Network } from "../contract/index.ts";
export type { BannedUser, ChannelInvite, ChannelMember, RestrictedUser } from "../contract/membership.ts";
export { pages } from "../contract/pages.ts";
export type { PrimaryAddress, PrimaryAddressEntry, Protocol } from "../contract/primary-addresses.ts";
export type { Transfer } from "../contract/registry.ts";
export type { CreatorRewardWinner, DeveloperRewardWinner } from "../contract/rewards.ts";
export type { KeyQuestion, SignedKeyRequest } from "../contract/signed-keys.ts";
export type { StarterPackMember } from "../contract/starter-packs.ts";
export type { Role, Success } from "../contract/values.ts";
export type { AccountVerification, Platform } from "../contract/verifications.ts";
export type { Upstream } from "./choose-hub.ts";
export { createClient, type ClientOptions } from "./create-client.ts";
export type { Client, InputOf, Operation, ResultOf } from "./operations.ts";
export { mintToken, type Signer } from "./token.ts";

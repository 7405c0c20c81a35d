import type { Generated, JSONColumnType } from "kysely";

type Json<T extends object> = JSONColumnType<T, string | undefined>;

/** The embedded network's tables. Times are UNIX seconds unless the name says otherwise. */
export interface NetworkTables {
  "network.stream_heads": { stream: "transfers" | "hub_events" | "hub_events_2" | "blocks"; last_id: number };
  "network.accounts": { fid: number; custody_address: string; credit_balance: Generated<number> };
  "network.app_keys": { fid: number; key: string; revoked_at: number | null; valid_from: Generated<number> };
  "network.signed_key_requests": {
    token: string;
    key: string;
    request_fid: number;
    deadline: number;
    redirect_url: string | null;
    sponsor_fid: number | null;
    created_at: number;
    answer: "approve" | "refuse" | null;
    user_fid: number | null;
    answered_at: number | null;
    completed_at: number | null;
  };
  "network.bot_allowlist": { fid: number };
  "network.channels": ChannelTable;
  "network.memberships": MembershipTable;
  "network.invites": InviteTable;
  "network.invite_answers": {
    channel_id: string;
    fid: number;
    role: "member" | "moderator";
    accepted: boolean;
    answered_at: number;
  };
  "network.invite_calls": { id: Generated<number>; channel_id: string; caller_fid: number; at_ms: number };
  "network.restrictions": ChannelUserTable & { restricted_at: number };
  "network.bans": ChannelUserTable & { banned_at: number };
  "network.channel_follows": ChannelUserTable & { followed_at: number };
  "network.user_follows": { fid: number; target_fid: number };
  "network.casts": CastTable;
  "network.cast_removals": CastRemovalTable;
  "network.moderation_records": {
    id: Generated<number>;
    channel_id: string;
    cast_hash: string;
    action: "hide" | "unhide";
    moderated_at: number;
  };
  "network.announcements": {
    id: Generated<number>;
    channel_id: string;
    cast_hash: string;
    recipients: number;
    announced_at: number;
  };
  "network.verifications": {
    id: Generated<number>;
    fid: number;
    platform: "x" | "github" | "discord";
    platform_id: string;
    platform_username: string;
    verified_at: number;
  };
  "network.transfers": {
    id: number;
    timestamp: number;
    username: string;
    owner: string;
    from_fid: number;
    to_fid: number;
    user_signature: string;
    server_signature: string;
  };
  "network.names": { name: string; fid: number; transfer_id: number };
  "network.hub_events": {
    shard: Generated<number>;
    id: number;
    type: string;
    merged_at: number;
    json: string;
  };
  "network.blocks": { id: number; blocker_fid: number; blocked_fid: number; created_at: number };
  "network.actions": ActionTable;
  "network.composer_actions": ActionTable & { image_url: string; featured_rank: number | null };
  "network.creator_reward_periods": RewardPeriodTable;
  "network.creator_reward_winners": WinnerTable & { username: string | null };
  "network.developer_reward_periods": RewardPeriodTable;
  "network.developer_reward_winners": WinnerTable & {
    id: Generated<number>;
    domain: string;
    frame_name: string;
  };
  "network.primary_addresses": { fid: number; protocol: "ethereum" | "solana"; address: string };
  "network.starter_packs": { id: string };
  "network.starter_pack_members": {
    id: Generated<number>;
    pack_id: string;
    fid: number;
    member_at_ms: number;
  };
  "network.imported_files": { hash: string; imported_at: number };
}

interface ActionTable {
  id: Generated<number>;
  name: string;
  icon: string;
  description: string;
  about_url: string;
  action_url: string;
  action_type: "post";
  post_url: string;
  total_users: number;
}

interface RewardPeriodTable {
  period_start_ms: number;
  period_end_ms: number;
}

interface WinnerTable {
  period_start_ms: number;
  fid: number;
  score: number;
  rank: number;
  reward_cents: number;
  wallet_address: string | null;
}

interface ChannelUserTable {
  id: Generated<number>;
  channel_id: string;
  fid: number;
}

export interface ChannelTable {
  id: string;
  url: string;
  name: string;
  description: string | null;
  description_mentions: Json<number[]>;
  description_mentions_positions: Json<number[]>;
  image_url: Generated<string>;
  header_image_url: string | null;
  lead_fid: number | null;
  created_at: number;
  follower_count: Generated<number>;
  member_count: Generated<number>;
  pinned_cast_hash: string | null;
  public_casting: Generated<boolean>;
  external_link_title: string | null;
  external_link_url: string | null;
}

export interface MembershipTable extends ChannelUserTable {
  role: "owner" | "moderator" | "member";
  /** For a moderator: whether the user remains a member when the role ends. */
  was_member: Generated<boolean>;
  member_at: number;
}

export interface InviteTable extends ChannelUserTable {
  role: "member" | "moderator";
  inviter_fid: number;
  invited_at: number;
}

export interface CastTable {
  hash: string;
  fid: number;
  text: string;
  timestamp: number;
  channel_id: string | null;
  parent_url: string | null;
  parent_hash: string | null;
  mentions: Json<number[]>;
  embeds: Json<{ url: string }[]>;
  hidden_by_moderation: Generated<boolean>;
  hidden_by_ban: Generated<boolean>;
  /** By a non-member in a members-only channel, or by a user whom the parent's author or a mentioned user blocks. */
  hidden_on_entry: Generated<boolean>;
  removed_at: number | null;
  /** The signing public key, in hex, and the signature in base64; null for an unsigned cast. */
  signer: string | null;
  signature: string | null;
}

/** Messages by which authors removed casts. */
export interface CastRemovalTable {
  hash: string;
  fid: number;
  timestamp: number;
  target_hash: string;
  signer: string | null;
  signature: string | null;
}

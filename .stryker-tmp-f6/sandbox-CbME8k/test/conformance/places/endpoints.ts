// @ts-nocheck
import { section } from "./place.ts";

export const endpointPlaces = [
  ...section("Endpoints", [
    ["the cursor gives the next page", /gives each record once over pages/],
    ["limit sets the page size", /gives each record once over pages/],
    ["Auth = yes needs the bearer token", /^Auth = yes/],
  ]),
  ...section("Channels and follows", [
    ["GET /v2/all-channels", /^GET \/v2\/all-channels/],
    ["GET /v1/channel", /^GET \/v1\/channel · gives/],
    ["GET /v1/channel-followers, by followedAt descending", /^GET \/v1\/channel-followers · is ordered/],
    [
      "GET /v1/user-following-channels, by followedAt descending",
      /^GET \/v1\/user-following-channels · is ordered/,
    ],
    ["GET /v1/user-channel; followedAt only when following", /^Follow · row [12]|^GET \/v1\/user-channel/],
    ["POST /fc/channel-follows", /^Follow · row 1/],
    ["DELETE /fc/channel-follows", /^Follow · row 2/],
  ]),
  ...section("Membership, invites, restrictions, bans", [
    ["GET /fc/channel-members, by memberAt descending", /^GET \/fc\/channel-members · is ordered/],
    [
      "GET /fc/channel-members: channelId required, fid a filter",
      /^GET \/fc\/channel-members · (needs|filters)/,
    ],
    ["GET /fc/channel-invites, by invitedAt descending", /^GET \/fc\/channel-invites · is ordered/],
    ["GET /fc/channel-invites: both filters optional", /^GET \/fc\/channel-invites · (without|filters)/],
    ["GET /fc/channel-invites: outstanding only", /^Channel invite · row [568]/],
    [
      "GET /fc/channel-restricted-users, by restrictedAt descending",
      /^GET \/fc\/channel-restricted-users · is ordered/,
    ],
    [
      "GET /fc/channel-restricted-users: both filters optional",
      /^GET \/fc\/channel-restricted-users · (without|filters)/,
    ],
    ["GET /fc/channel-restricted-users: active only", /^Channel role and restriction · row [34]/],
    ["GET /fc/channel-bans, by bannedAt descending", /^GET \/fc\/channel-bans · is ordered/],
    ["GET /fc/channel-bans: both filters optional", /^GET \/fc\/channel-bans · (without|filters)/],
    ["GET /fc/channel-bans: active only", /^Channel ban · row 2/],
    ["POST /fc/channel-bans", /^Channel ban · row 1/],
    ["DELETE /fc/channel-bans", /^Channel ban · row 2/],
    ["POST /fc/channel-invites", /^Channel invite · row 1/],
    ["DELETE /fc/channel-invites", /^Channel invite · row 8/],
    ["PATCH /fc/channel-invites", /^Channel invite · row [56]/],
  ]),
  ...section("Cast moderation and pins", [
    [
      "GET /fc/moderated-casts, by moderatedAt descending",
      /^GET \/fc\/moderated-casts · (is ordered|without)/,
    ],
    ["POST /fc/moderated-casts", /^Cast moderation · row/],
    [
      "POST /fc/moderated-casts: in a channel the caller moderates or owns",
      /^Cast moderation, refused · to the moderator/,
    ],
    [
      "PUT /fc/pinned-casts, notifyChannelFollowers false by default",
      /^Pinned cast of a channel · row 1: no pin/,
    ],
    ["DELETE /fc/pinned-casts: exactly one of castHash and channelId", /^Pins, refused · for an unpin/],
    ["the example's path /fc/moderate-cast", /served as an alias/],
  ]),
  ...section("Actions", [
    ["GET /v2/discover-actions: top, by total users; paginated", /GET \/v2\/discover-actions( · top|, top)/],
    ["GET /v2/discover-actions: list is required", /^GET \/v2\/discover-actions · refuses/],
    ["GET /v2/discover-composer-actions: top", /GET \/v2\/discover-composer-actions( · top|, top)/],
    [
      "GET /v2/discover-composer-actions: featured, curated",
      /GET \/v2\/discover-composer-actions( · featured|, featured)/,
    ],
  ]),
  ...section("Blocks", [
    ["GET /fc/blocked-users, newest first", /^GET \/fc\/blocked-users · is ordered|^Block · all blocks/],
    ["POST /fc/blocked-users", /^Block · not blocked → blocked/],
    ["DELETE /fc/blocked-users", /^Block · blocked → not blocked/],
  ]),
  ...section("Verifications, rewards, addresses, starter packs", [
    [
      "GET /fc/account-verifications, by verifiedAt descending",
      /^GET \/fc\/account-verifications · is ordered/,
    ],
    ["GET /fc/account-verifications: fid and platform", /^GET \/fc\/account-verifications · lists/],
    ["GET /v1/creator-rewards-winner-history: periodsAgo", /^GET \/v1\/creator.* · periodsAgo counts/],
    ["GET /v1/creator-rewards-winner-history: in rank order", /^GET \/v1\/creator.* · winners are paged/],
    ["GET /v1/developer-rewards-winner-history: periodsAgo", /^GET \/v1\/developer.* · periodsAgo counts/],
    ["GET /v1/developer-rewards-winner-history: in rank order", /^GET \/v1\/developer.* · winners are paged/],
    ["GET /fc/primary-address", /^GET \/fc\/primary-address · /],
    ["GET /fc/primary-addresses: one entry for each fid", /^GET \/fc\/primary-addresses · has an entry/],
    ["GET /fc/starter-pack-members, by memberAt descending", /^GET \/fc\/starter-pack-members · is ordered/],
  ]),
  ...section("Signed key requests", [
    ["POST /v2/signed-key-request", /^Signed key request · row 1/],
    ["both paths of the creation", /^Signed key request · both paths/],
    ["redirectUrl is optional", /^POST \/v2\/signed-key-request, refused · but a redirect/],
    ["GET /v2/signed-key-request", /^GET \/v2\/signed-key-request|^Signed key request · row 2/],
  ]),
  ...section("Name registry", [
    ["GET /transfers: from_id, from_ts", /^GET \/transfers · starts after/],
    ["GET /transfers: name, fid", /^GET \/transfers · filters by/],
    ["GET /transfers/current: fid of a name, name of a fid", /^GET \/transfers\/current · gives/],
    ["POST /transfers", /^Name registry transfer · row/],
  ]),
  ...section("Hub events", [
    ["GET /v1/eventById, by either name", /^GET \/v1\/eventById · gives/],
    ["GET /v1/events: from_event_id, 0 is the first", /^GET \/v1\/events · gives events/],
    ["nextPageEventId", /^GET \/v1\/events · is paged/],
  ]),
];

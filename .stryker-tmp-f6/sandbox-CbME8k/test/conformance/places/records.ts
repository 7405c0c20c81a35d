// @ts-nocheck
import { section } from "./place.ts";

export const recordPlaces = [
  ...section("General conventions", [
    ["requests with a body are JSON", /^order of checks · broken JSON/],
    ["a JSON object whose result holds the payload", /^answers · are JSON objects with a result/],
    ["paginated endpoints return next.cursor beside result", /gives no next on the last page/],
    ["fid is numeric, channelId a string", /^values in bodies/],
    ["cast hashes are hex with 0x", /^Cast moderation, refused · for a hash without 0x/],
    ["times are UNIX seconds", /^Channel ban · row 1: not banned → banned, by the owner, and listed/],
    [
      "url is the parent URL of a channel's casts",
      /^POST \/operator\/casts · casts into a channel, and .* url/,
    ],
  ]),
  ...section("Channel", [
    ["fields that are always there", /^GET \/v1\/channel · gives every field of a bare channel/],
    ["optional fields, mentions and their positions", /^GET \/v1\/channel · gives the optional fields/],
    ["moderatorFid in the followed-channels listing", /moderatorFid/],
    [
      "followedAt in the followed-channels listing",
      /^GET \/v1\/user-following-channels · gives whole channels/,
    ],
    ["memberCount includes owner and moderators", /^roles · members and memberCount/],
    ["followerCount", /^Follow · twenty follows/],
    ["pinnedCastHash", /^Pinned cast of a channel · row 1: no pin/],
    ["publicCasting: only members cast", /^casts that enter later · a root cast by a non-member/],
    ["publicCasting: anybody casts", /^casts that enter later · anybody may cast/],
  ]),
  ...section("Records returned by listings", [
    ["channel follower", /^Follow · following anew/],
    [
      "channel member",
      /^Channel role and restriction · row 1: the restricted cannot|^join by link · makes a member/,
    ],
    ["channel invite, at most one for a fid and a channel", /^Channel invite · row (1: none|2|4)/],
    ["moderation action", /^Cast moderation · row/],
    ["restricted user", /^Channel role and restriction · row 1: member/],
    ["banned user", /^Channel ban · row 1: not banned/],
    [
      "block: the blocked cannot reply to, quote or mention",
      /^Casts that enter later · a (reply|mention|quote)/,
    ],
    ["block", /^Block · not blocked → blocked/],
    ["action", /^GET \/v2\/discover-actions · top/],
    ["composer action, with imageUrl", /^GET \/v2\/discover-composer-actions · top/],
    ["account verification", /^GET \/fc\/account-verifications · lists/],
    ["creator reward winner", /^GET \/v1\/creator-rewards-winner-history/],
    ["developer reward winner", /^GET \/v1\/developer-rewards-winner-history/],
    ["primary address", /^GET \/fc\/primary-address · is the user's/],
    ["starter pack member, in milliseconds", /GET \/fc\/starter-pack-members: newest first/],
    ["signed key request; userFid only when approved or completed", /^Signed key request · row [123]/],
  ]),
  ...section("Registry transfer", [
    ["its fields", /^Name registry transfer · row 1: unregistered/],
    ["server_signature is by the registry server", /^Elsewhere · A follower that polls from_id/],
  ]),
  ...section("Hub event", [
    ["type, id, mergeUsernameProofBody", /^events · a registration/],
    ["usernameProof", /^events · a registration/],
  ]),
];

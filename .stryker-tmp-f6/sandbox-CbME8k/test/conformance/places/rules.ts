// @ts-nocheck
import { section } from "./place.ts";

const refused = "^Rules of membership, refused";

export const rulePlaces = [
  ...section("Rules of membership", [
    [
      "1: the caller owns or moderates the channel",
      new RegExp(`${refused}.*Rule 1: a (member|stranger) cannot`),
    ],
    [
      "1: member: the invitee follows the channel or the caller",
      new RegExp(`${refused}.*who follows neither`),
    ],
    ["1: moderator: the invitee is a member", new RegExp(`${refused}.*a follower who is no member`)],
    [
      "1: moderator: the caller is the owner",
      new RegExp(`${refused}.*a moderator cannot invite a moderator`),
    ],
    ["1: ten moderators, invites included, else an error", /^Limit of ten moderators · active moderators/],
    ["1: idempotent", /^Channel invite · row 4/],
    ["1: an allowlisted bot is added directly", /^Channel invite · row 3/],
    ["2: removes the role or revokes the invite; idempotent", /^Channel invite · row [89]/],
    ["2: member: a moderator or the owner calls", new RegExp(`${refused}.*Rule 2: a (member|stranger)`)],
    ["2: a removed member cannot join by link, a revoked one can", /by link/],
    ["2: moderator: the owner calls", new RegExp(`${refused}.*a moderator cannot remove a moderator`)],
    ["3: the caller has an active invite", new RegExp(`${refused}.*Rule 3: who has no invite`)],
    ["3: an answer cannot be changed", /^Channel invite · row 7/],
    ["4: unbanFid, and banFid as in the example", /^Rule 4: the field of an unban/],
  ]),
  ...section("Authentication", [
    ["Authorization: Bearer", /^Bearer token, (taken|refused · (no header|another scheme))/],
    ["header: fid, type app_key, key", /^Bearer token, refused · (another type|no type|no fid|no key)/],
    ["payload: exp", /^Bearer token, refused · a payload with (no exp|exp as text)/],
    ["signature: Ed25519 over header.payload", /^Bearer token, taken · signed plainly/],
    ["the acting user is the fid of the header", /^Bearer token, taken · the acting user/],
    ["the key is registered for the fid", /^Bearer token, refused · a key that is not registered/],
    [
      "key request: EIP-712 by the custody address",
      /^POST \/v2\/signed-key-request, refused · a signature that is not/,
    ],
    ["sponsorship: EIP-191 over the request's signature", /^Sponsorship · needs the sponsor's signature/],
    ["sponsorship: a balance of at least 100", /^Sponsorship · needs a balance/],
    [
      "POST /transfers: a claim signed by the custody address",
      /^POST \/transfers, refused · INVALID_(SIGNATURE|FID)/,
    ],
    ["GETs are public", /^Auth = no/],
  ]),
  ...section("Events", [
    ["in order of hub event id", /^order of ids|^GET \/v1\/events · gives events in order/],
    ["HUB_EVENT_TYPE_MERGE_USERNAME_PROOF", /^events · a registration/],
    ["events older than three days are pruned", /^Elsewhere · Hub event retention/],
    ["a pin may announce, an unpin takes nothing back", /^Pinned cast of a channel · row (1: notify|3|4)/],
  ]),
  ...section("Errors", [
    ["the eleventh moderator is an error", /^Limit of ten moderators · .* eleventh is an error/],
    ["ban and unban are not permitted", /^who may ban and unban · /],
    ["invite and removal are not permitted", new RegExp(`${refused}.*cannot (invite|remove)`)],
    ["moderation is not permitted", /^Cast moderation, refused · to /],
    ["an answer without invite is not permitted", new RegExp(`${refused}.*Rule 3`)],
    [
      "repeated invite, removal, pin: success",
      /^(Channel invite · row [49]|Pinned cast of a channel · row 2)/,
    ],
    ["a fid without address: success is false", /^GET \/fc\/primary-addresses · has an entry/],
  ]),
  ...section("Limits", [
    ["100 invites and removals by caller, channel and hour", /^Rate limit, .* · 100 calls/],
    ["at most ten moderators, invites included", /^Limit of ten moderators · /],
    ["at most 100 fids", /^GET \/fc\/primary-addresses · takes 100 fids/],
    ["hub events: three days", /^Elsewhere · Hub event retention/],
    [
      "token lifetime: the exp claim",
      /^Bearer token, (taken · up to 5|refused · (a token that was good|an exp))/,
    ],
    ["key request: the deadline", /^Signed key request · past its deadline/],
    ["sponsor: a balance of 100", /^Sponsorship · needs a balance/],
    ["creators: Tuesday 17:00 UTC", /on the first Tuesday/],
    ["developers: Wednesday 17:00 UTC", /on the first Wednesday/],
  ]),
  ...section("Versioning", [["each path is used as listed", /^unknown routes and methods/]]),
];

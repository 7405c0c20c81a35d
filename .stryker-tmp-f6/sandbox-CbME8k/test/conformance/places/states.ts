// @ts-nocheck
import { section } from "./place.ts";

export const statePlaces = [
  ...section("Channel invite", [
    [
      "none → outstanding (member), following the channel or the caller",
      /^Channel invite · row 1: (none|of|to follow)/,
    ],
    ["the invitee leaves the restricted state before answering", /^Channel invite · row 1: the restricted/],
    ["none → outstanding (moderator), of a member by the owner", /^Channel invite · row 2/],
    [
      "an allowlisted bot becomes an active moderator directly",
      /^Channel invite · row 3: (none|a moderator)/,
    ],
    ["outstanding or held: unchanged, success", /^Channel invite · row 4/],
    ["outstanding → accepted", /^Channel invite · row 5/],
    ["outstanding → declined", /^Channel invite · row 6/],
    ["an answer cannot be changed", /^Channel invite · row 7/],
    ["outstanding → revoked; the user may still join by link", /^Channel invite · row 8/],
    ["neither invite nor role: unchanged, success", /^Channel invite · row 9/],
  ]),
  ...section("Channel role and restriction", [
    ["member → not a member, restricted: no joining by link", /^Channel role and restriction · row 1/],
    ["moderator → not a moderator, by the owner", /^Channel role and restriction · row 2/],
    ["restricted → not restricted by an invite", /^Channel role and restriction · row 3/],
    ["restricted → banned", /^Channel role and restriction · row 4/],
    ["no operation restricts directly", /^Channel role and restriction · row 5/],
    ["replies by restricted users remain visible below the fold", /replies of restricted users stay visible/],
  ]),
  ...section("Channel ban", [
    [
      "not banned → banned, by who owns or moderates the channel",
      /^Channel ban · row 1: not banned/,
      "the owner cannot be banned, a moderator by the owner alone",
    ],
    ["the banned can no longer reply", /^Channel ban · row 1: a reply that he makes afterwards/],
    ["all existing replies are hidden", /^Channel ban · row 1: all his replies/],
    ["banned → restricted, and leaves the listing", /^Channel ban · row 2: banned/],
    ["replies become visible again, below the fold", /^Channel ban · row 2: his replies/],
  ]),
  ...section("Cast moderation", [
    ["visible → hidden, with a record", /^Cast moderation · row 1/],
    ["hidden → visible, with a record", /^Cast moderation · row 2/],
  ]),
  ...section("Pinned cast of a channel", [
    [
      "no pin or another → the given cast, replacing any",
      /^Pinned cast of a channel · row 1: (no pin|another)/,
    ],
    ["notifyChannelFollowers announces to all followers", /^Pinned cast of a channel · row 1: notify/],
    ["the same cast pinned: unchanged, success", /^Pinned cast of a channel · row 2/],
    [
      "unpinned by castHash only when that cast is pinned; announcements stay",
      /^Pinned cast of a channel · row 3/,
    ],
    ["unpinned by channelId; announcements stay", /^Pinned cast of a channel · row 4/],
  ]),
  ...section("Follow and block", [
    ["not following → following", /^Follow · row 1/],
    ["following → not following", /^Follow · row 2/],
    ["not blocked → blocked", /^Block · not blocked → blocked/],
    ["blocked → not blocked", /^Block · blocked → not blocked/],
  ]),
  ...section("Signed key request", [
    ["none → pending, with token and deeplinkUrl", /^Signed key request · row 1/],
    ["pending → approved, userFid becomes present", /^Signed key request · row 2/],
    ["approved → completed; the key may sign", /^Signed key request · row 3/],
  ]),
  ...section("Name registry transfer", [
    ["unregistered → reserved to `to`", /^Name registry transfer · row 1: unregistered/],
    [
      "a registered name is not registered again",
      /^Name registry transfer · row 1: a name that is registered/,
    ],
    ["A → B, asked by A", /^Name registry transfer · row 2: registered to A/],
    [
      "A → B, asked by B",
      /^Name registry transfer · row 2: asked by B/,
      "needs from_signature, by A's custody address",
    ],
    ["the fid in the request equals from or to", /^Name registry transfer · row 2: who is neither/],
    ["A → 0: unregistered, asked by A", /^Name registry transfer · row 3/],
    ["each change adds one transfer record", /^Name registry transfer · row 1: unregistered/],
  ]),
];

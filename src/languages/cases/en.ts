import { createPlural } from "../plurals.ts";

const plural = createPlural("en");
const casts = (count: number) => plural(count, { one: "# cast", other: "# casts" });
const bans = (count: number) => plural(count, { one: "# ban", other: "# bans" });
const users = (count: number) => plural(count, { one: "# user", other: "# users" });

/** Cases, by kind and state. */
export const cases = {
  title: (number: string, kind: string, state: string) => `Case ${number}: ${kind} ${state}`,
  kinds: {
    hide: "hide",
    unhide: "unhide",
    ban: "ban",
    unban: "unban",
    change_expiry: "change expiry",
    invite: "invite",
    revoke_invite: "revoke invite",
    remove_member: "remove member",
    pin: "pin",
    unpin: "unpin",
  },
  states: {
    requested: "requested",
    applied: "applied",
    already: "already",
    failed: "failed",
    outside: "outside",
    reverted: "reverted",
  },
  /** The result of a case about one target, in the title of a post and after the case's number. */
  done: {
    hide: "cast hidden",
    unhide: "cast shown again",
    ban: "banned",
    unban: "ban lifted",
    change_expiry: "ban given another expiry",
    invite: "invited",
    revoke_invite: "invite revoked",
    remove_member: "removed from the members",
    pin: "cast pinned",
    unpin: "cast unpinned",
  },
  /** After the numbers of several cases. */
  doneMany: { hide: "casts hidden", unhide: "casts shown again" },
  /** The same with a count. */
  counted: {
    hide: (count: number) => `${casts(count)} hidden`,
    unhide: (count: number) => `${casts(count)} shown again`,
    ban: (count: number) => `${users(count)} banned`,
    unban: (count: number) => `${bans(count)} lifted`,
    change_expiry: (count: number) => `${bans(count)} given another expiry`,
    invite: (count: number) => `${users(count)} invited`,
    revoke_invite: (count: number) => plural(count, { one: "# invite revoked", other: "# invites revoked" }),
    remove_member: (count: number) => plural(count, { one: "# member removed", other: "# members removed" }),
    pin: (count: number) => `${casts(count)} pinned`,
    unpin: (count: number) => `${casts(count)} unpinned`,
  },
  /** After a case's number, or those of several. */
  results: {
    underWay: (kind: string) => `${kind}: under way`,
    failed: (kind: string, why: string) => `${kind} failed: ${why}`,
    noReason: "no reason is known",
    already: (done: string) => `${done} already`,
    ended: (done: string, ending: string) => `${done}, ${ending}`,
    until: (done: string, time: string, relative: string) => `${done} until ${time} (${relative})`,
  },
  /** Earlier cases against somebody. */
  against: {
    nothing: "nothing",
    ban: bans,
    hide: (count: number) => plural(count, { one: "# hide", other: "# hides" }),
    remove_member: (count: number) => plural(count, { one: "# removal", other: "# removals" }),
  },
};

export const bulk = {
  gone: "A bulk",
  goneWhy: "It has since been deleted, or this room no longer follows its channels.",
  kinds: { hide: "Hide", unhide: "Unhide", ban: "Ban", unban: "Unban", invite: "Invite", undo: "Undo" },
  states: { underWay: "under way", done: "done", stopped: "stopped" },
  channels: (count: number) => plural(count, { one: "# channel", other: "# channels" }),
  stoppedBy: (who: string) => `Stopped by ${who}.`,
  selectedBy: (selection: string, who: string, time: string) => `${selection} · by ${who} ${time}`,
  undone: (numbers: string) => `Undone by ${numbers}.`,
  partlyUndone: (numbers: string) => `Partly undone by ${numbers}.`,
  oneCase: (number: string) => `Case ${number} · /case show shows it, /undo reverts it`,
  cases: (first: string, last: string) => `Cases ${first}–${last} · /case show lists them, /undo reverts it`,
  bans,
  already: (count: number) => `${count} already in that state`,
  failed: (count: number) => `${count} failed`,
  undoneSince: (count: number) => `${count} undone since`,
  allUndone: "all undone since",
  soFar: (done: number, total: number) => `${done} of ${total} so far.`,
  continues: (time: string) => `It continues ${time}, because the network limits calls or did not respond.`,
  failure: (number: string, target: string, why: string) => `✖ ${number} ${target}: ${why}`,
  failureIn: (number: string, channelId: string, target: string, why: string) =>
    `✖ ${number} in /${channelId} ${target}: ${why}`,
  failedOnly: "failed",
};

export const review = {
  title: (number: string, queue: string, channels: string) => `Review ${number} · ${queue} · ${channels}`,
  appeal: (number: string, channels: string) => `Appeal ${number} · ${channels}`,
  gone: (number: string) => `Review ${number}`,
  goneWhy: "It has since been deleted.",
  held: (time: string) => `held ${time}`,
  /** When an appeal was made. */
  sent: (time: string) => `sent ${time}`,
  earlier: (cases: string, points: string) => `Earlier: ${cases} · ${points}`,
  appealsBan: (user: string, number: string, channelId: string) =>
    `${user} appeals against the ban: case **${number}** in /${channelId}`,
  appealsHide: (user: string, number: string, channelId: string) =>
    `${user} appeals against that a cast is hidden: case **${number}** in /${channelId}`,
  /** After one of the two, and before the case's reason, if it has one. */
  did: (appeal: string, who: string, time: string) => `${appeal}, ${who} ${time}`,
  fromOutside: "from outside Castellan",
  noLongerInForce: "**It is no longer in force.**",
  grantingWould: (actions: string) => `Granting it would: ${actions}`,
  version: (rule: string, version: number) => `Rule ${rule}, version ${version}`,
  onlyReview: "The rule only asks for a review.",
  approveWould: (actions: string) => `Approve would: ${actions}`,
  ruleWanted: (actions: string) => `The rule asked to: ${actions}`,
  reportedBy: (count: number) =>
    plural(count, { one: "Reported by # member.", other: "Reported by # members." }),
  aMember: "A member",
  report: (who: string, reason: string) => `- ${who}: ${reason}`,
  withoutReason: "without a reason",
  moreReports: (count: number) => `- and ${count} more`,
  whoReported: (command: string) => `${command} names them to moderators who may decide.`,
  decided: {
    approved: (who: string) => `Approved by ${who}.`,
    hidden: (who: string) => `Hidden by ${who}.`,
    banned: (who: string) => `Banned by ${who}.`,
    dismissed: (who: string) => `Dismissed: nothing was done, by ${who}.`,
  },
  granted: (who: string) => `Granted by ${who}.`,
  declined: (who: string) => `Not granted by ${who}.`,
  inChannels: (channels: string, outcome: string) => `${channels}: ${outcome}`,
  undoneBy: (user: string) => `An earlier decision was undone by ${user}.`,
  leftToOwner: (user: string) => `Left to the channel's owner by ${user}.`,
  claimedBy: (user: string) => `${user} is reviewing it.`,
  open: "Open.",
  caseIn: (number: string, channel: string) => `${number} in ${channel}`,
  hiddenAlready: (cases: string) => `The cast is hidden already: ${cases}.`,
  bannedAlready: (cases: string) => `The author is banned already: ${cases}.`,
  waiting: (count: number, channel: string) =>
    `${plural(count, { one: "# review", other: "# reviews" })} waiting for a decision: ${channel}`,
  oldest: (time: string) => `The oldest arrived ${time}. Use /review show to see them.`,
  escalated: (number: string, channel: string) => `${number} is left to the owner: ${channel}`,
  queue: (queue: string) => `Queue ${queue}`,
  ownerDecides: (number: string) =>
    `The channel's owner or a member with Manage Server here decides: /review show ${number}`,
};

/** Why a case failed, or what became of the change of a ban's expiry. */
export const outcomes = {
  anotherServer: "another server",
  case: (number: string) => `case ${number}`,
  permanent: "permanently",
  until: (time: string) => `until ${time}`,
  expiryChanged: "The ban's expiry was changed.",
  sameExpiry: "The ban already had this expiry.",
  end_changed: (end: string, before: string) => `The ban lasts ${end}; before, ${before}.`,
  end_unchanged: (end: string) => `Nothing was changed: ${end} as before.`,
  not_banned: "Nothing was changed: the user is no longer banned.",
  banned_longer: (holder: string) => `Not lifted: ${holder} bans the user for longer.`,
  notUndone: (why: string) => `Not undone: ${why}.`,
  /** Why a case cannot be undone if another did the same; for some kinds with the command that ends both. */
  standsBy: (holder: string) => `${holder} did the same, and that is still in force`,
  endsAll: {
    ban: (why: string) => `${why} (/undo with the person lifts the ban, no matter who set it)`,
    hide: (why: string) => `${why} (/undo with the cast shows it again, no matter who hid it)`,
  },
  nothing_to_undo: (holder: string) => `Not undone: ${holder} changed nothing.`,
  server_left: "Not done: Castellan was removed from the server before it went out.",
  rules_paused: "Not done: rules were paused before it went out.",
  bulk_stopped: "Not done: the bulk was stopped before it went out.",
  link_removed: "Not done: the server was no longer linked to the channel when its turn came.",
  link_suspended: "Not done: the link to the channel was suspended when its turn came.",
  changed_since:
    "The network did not respond, and somebody has changed this since. Castellan will not repeat it: check the channel.",
  no_response: (minutes: number) =>
    `The network could not be reached for ${minutes} minutes, so Castellan gave up. Check the channel before trying again.`,
  refused: (message: string) => `The network refused: ${message}`,
  limit_reached: (minutes: number) =>
    `The channel's budget for this is used up. It is free again in about ${minutes} min.`,
  /** Explains the network's rejections to a moderator, by their codes. */
  rejections: {
    not_permitted: "The network does not let Castellan do this. Does it still moderate the channel?",
    not_owner: "Only the channel's owner may do this.",
    cannot_ban_owner: "The owner of a channel cannot be banned.",
    cannot_ban_moderator: "Only the owner can ban a moderator.",
    cannot_remove_owner: "The owner of a channel cannot be removed.",
    banned_from_channel: "The user is banned from the channel: lift the ban first.",
    invitee_not_following:
      "The user follows neither the channel nor Castellan's account, and an invite needs one of the two.",
    invitee_not_member: "Only a member can become a moderator.",
    too_many_moderators:
      "The channel already has ten moderators, including pending invites. That is the limit.",
    cast_not_in_channel: "The cast is not in a channel that Castellan moderates.",
    not_found: "The network has no such channel or cast. The cast may have been removed.",
    invalid_auth_token: "The network does not accept Castellan's key. The operator has to renew it.",
  },
};

/** Labels of buttons. At most 70 characters. */
export const buttons = {
  hide: "Hide",
  banAuthor: "Ban author",
  ban: "Ban",
  history: "History",
  inviteAgain: "Invite again",
  inviteThemAgain: "Invite them again",
  lift: "Lift",
  endLockdown: "Lift",
  resume: "Resume",
  block: "Add to blocklist…",
  undo: "Undo",
  undoKind: (kind: string) => `Undo ${kind}`,
  undoCase: (kind: string, number: string) => `Undo ${kind} ${number}`,
  undoAll: "Undo all",
  why: "Why",
  stop: "Stop",
  showAll: "Show all",
  showAgain: "Show again",
  keep: "Keep",
  approve: "Approve",
  dismiss: "Dismiss",
  claim: "Claim",
  release: "Release",
  leaveToOwner: "Leave to the owner",
};

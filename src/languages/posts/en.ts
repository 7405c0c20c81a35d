import { bulk, buttons, cases, outcomes, review } from "../cases/en.ts";
import { describeHiddenByLockdown } from "../../text/hidden-by-lockdown.ts";
import { castWords, shownWords } from "../../text/show-cast.ts";
import { doerWords } from "../../text/show-doer.ts";
import { createPlural } from "../plurals.ts";

const plural = createPlural("en");
const points = (count: number) => plural(count, { one: "# strike point", other: "# strike points" });

/**
 * The texts of posts in rooms, in English. Numbers such as C-12, people, times and commands are values. Parts of a line are
 * joined by " · ", so a part begins in lower case where it follows another.
 */
export const posts = {
  locale: "en-US",

  // People, places and times.
  someone: "someone unknown",
  network: "the network",
  doers: doerWords,
  by: (who: string) => `by ${who}`,
  byRule: (rule: string) => `by rule ${rule}`,
  rule: (rule: string) => `rule ${rule}`,
  author: (person: string) => `Author: ${person}`,
  reason: (reason: string) => `Reason: ${reason}`,
  until: (time: string, relative: string) => `Until ${time} (${relative}).`,
  untilTime: (time: string) => `Until ${time}.`,
  /** Who acted, with the number of the case. */
  actors: {
    unknown: "outside Castellan",
    otherServer: "by Castellan, for another server",
    rule: (rule: string, number: string) => `by rule ${rule} · case ${number}`,
    castellan: (number: string) => `by Castellan · case ${number}`,
    outside: (number: string) => `outside Castellan · case ${number}`,
    person: (who: string, number: string) => `by ${who} · case ${number}`,
  },
  /** How an action ended. */
  endings: {
    expired: "expired",
    since: "undone since",
    outside: (number: string) => `undone outside Castellan, ${number}`,
    castellan: (number: string) => `undone by ${number}`,
    person: (who: string, number: string) => `undone by ${who}, ${number}`,
  },
  over: (ending: string) => `**${ending}.**`,

  // Lists.
  andMore: (names: string, count: number) => `${names} and ${count} more`,
  moreRules: (count: number) => `… and ${count} more rules`,
  moreCasts: (count: number) => `… and ${count} more casts`,
  moreFailed: (count: number) => `… and ${count} more that failed`,

  cast: {
    hash: (hash: string) => `Cast ${hash}`,
    /** The label of a link. */
    link: "on the network",
    at: (link: string) => `The cast ${link}`,
    inOneLine: (text: string) => `The cast: ${text}`,
    shown: shownWords,
    /** In one line. */
    parts: castWords,
    erased: "(erased at the author's request)",
  },

  // Events of the network.
  names: {
    titles: {
      registered: (name: string) => `Name registered: ${name}`,
      transferred: (name: string) => `Name transferred: ${name}`,
      released: (name: string) => `Name released: ${name}`,
      replaced: (name: string) => `Name replaced: ${name}`,
      renewed: (name: string) => `Name proof renewed: ${name}`,
    },
    registered: (name: string, fid: number | null) => `${name} now belongs to fid ${fid}.`,
    transferred: (name: string, from: number | undefined, to: number | null) =>
      `${name} went from fid ${from} to fid ${to}.`,
    released: (name: string) => `${name} is free again.`,
    releasedBy: (name: string, fid: number) => `${name} is free again; it was fid ${fid}'s.`,
    renewed: (name: string, fid: number | null) => `fid ${fid} renewed the proof of ${name}.`,
    replaced: (name: string, fid: number | null, before: string) =>
      `fid ${fid} is now ${name} instead of ${before}.`,
  },
  titles: {
    cast: (channel: string) => `Cast in ${channel}`,
    reply: (channel: string) => `Reply in ${channel}`,
    castRemoved: (channel: string) => `Cast removed in ${channel}`,
    hidden: (channel: string) => `Cast hidden in ${channel}`,
    shown: (channel: string) => `Cast shown again in ${channel}`,
    banned: (channel: string) => `Banned from ${channel}`,
    banOver: (channel: string) => `Ban over in ${channel}`,
    banLifted: (channel: string) => `Ban lifted in ${channel}`,
    restricted: (channel: string) => `Restricted in ${channel}`,
    unrestricted: (channel: string) => `No longer restricted in ${channel}`,
    joined: (channel: string) => `Joined ${channel}`,
    left: (channel: string) => `No longer a member of ${channel}`,
    removed: (channel: string) => `Removed from ${channel}`,
    invited: (channel: string) => `Invited to join ${channel}`,
    invitedToModerate: (channel: string) => `Invited to moderate ${channel}`,
    inviteEnded: (channel: string) => `Invite ended in ${channel}`,
    pinned: (channel: string) => `Pinned in ${channel}`,
    unpinned: (channel: string) => `Unpinned in ${channel}`,
    edited: (channel: string) => `${channel} was edited`,
  },
  removedAt: (time: string) => `removed ${time}`,
  becameMember: (person: string, time: string) => `${person} became a member ${time}`,
  leftOrRemoved: "left, or was removed by others",
  onlyByInvite: "Can join again only by invite.",
  bannedInstead: "Banned instead.",
  invitedBy: (person: string) => `Invited by ${person}.`,
  inviteEnded: {
    member: (person: string) => `${person} answered the invite to become member, or it was withdrawn`,
    moderator: (person: string) => `${person} answered the invite to become moderator, or it was withdrawn`,
  },
  edited: (fields: string) => `Changed: ${fields}`,
  /** By the words that events have for them. */
  fields: {
    name: "name",
    address: "address",
    description: "description",
    picture: "picture",
    "header picture": "header picture",
    owner: "owner",
    moderators: "moderators",
    "who may cast": "who may cast",
    link: "link",
  },
  /** Events that share the post of another. */
  followers: {
    left: "No longer a member.",
    restricted: "Restricted: can join again only by invite.",
    unrestricted: "No longer restricted.",
    accepted: {
      member: "Accepted the invite to become member.",
      moderator: "Accepted the invite to become moderator.",
    },
    inviteEnded: {
      member: "Their invite to become member has ended.",
      moderator: "Their invite to become moderator has ended.",
    },
    strikes: (added: number, total: number) => `${points(added)}, ${total} now.`,
  },

  // Rules.
  hits: {
    /** "banned: @alice", in a title. */
    headline: (what: string, who: string) => `${what}: ${who}`,
    place: (person: string, channel: string) => `${person} in ${channel}`,
    rules: (ids: string) => `rules ${ids}`,
    acting: (rules: string) => `${rules} acting`,
    couldNotAct: (rules: string) => `${rules} could not act`,
    shadow: (rules: string) => `Shadow hit of ${rules}`,
    hit: (rules: string) => `${rules} hit`,
    times: (actions: string, count: number) => `${actions} (${count} times)`,
    nothing: "nothing",
    wouldDo: (rule: string, actions: string) => `Rule ${rule} is in shadow. It would ${actions}.`,
    doNothing: "do nothing",
    asks: (rule: string, actions: string) => `Rule ${rule} asks for a decision: ${actions}`,
    byRule: (rule: string, what: string) => `By rule ${rule}: ${what}`,
  },
  rules: {
    tripped: (rule: string) => `Rule ${rule} acted too often`,
    trippedWhy: (times: number, minutes: number, mode: string) =>
      `${plural(times, { one: "Once", other: "# times" })} within ${minutes} min, which is its limit. It is now in mode ${mode} and no longer acts automatically.`,
    trippedNext: "Check its actions (/rule show), then let it act again with /rule mode",
    slow: (count: number) =>
      plural(count, { one: "# rule took too long and is off", other: "# rules took too long and are off" }),
    slowNext:
      "Patterns with nested repetition are slow. Use fewer or simpler patterns (/rule edit), try them with /rule test, and turn the rule on again with /rule mode",
    unreadable: (channel: string) => `No rule acts in ${channel}: the rules can no longer be read`,
    unreadableWhy: (version: number) =>
      `Version ${version} was activated by another version of Castellan. The one that runs now finds mistakes in it:`,
    unreadableNext: "/rule show attaches the file: fix it, and upload it with /rule import",
    changed: (version: number) => `The rules were changed: version ${version} is in force`,
    changedBy: (change: string, who: string) => `${change} by ${who}`,
    added: (rules: string) => `New: ${rules}`,
    removed: (rules: string) => `Gone: ${rules}`,
    modes: (rules: string) => `Changed: ${rules}`,
    changedNext: "/rule show history:true lists the versions, /rule rollback restores an earlier one.",
    paused: (channel: string) => `Rules paused in ${channel}`,
    resumed: (channel: string) => `Rules resumed in ${channel}`,
    lockdownStopped: "⚠️ The lockdown of this channel hides nothing meanwhile.",
  },
  strikes: {
    points,
    title: (count: number, channel: string) => `${points(count)} in ${channel}`,
    total: (person: string, total: number) => `${person} has ${total} now`,
  },

  // Castellan itself.
  gap: {
    title: "Events may be missing",
    when: (from: string, until: string, source: string) =>
      `Between ${from} and ${until} Castellan could not follow the hub (${source}).`,
    what: "Members, bans, invites and restrictions are being read again. Casts and names from that time may be missing, and so may replies to such casts.",
  },
  links: {
    suspended: (channel: string) => `Link suspended: ${channel}`,
    restored: (channel: string) => `Link restored: ${channel}`,
    bot_role_lost: (channel: string) => `Castellan is no longer a moderator: ${channel}`,
    bot_role_back: (channel: string) => `Castellan is a moderator now: ${channel}`,
    staff_proven: (channel: string) => `Rights proven: ${channel}`,
    staff_withdrawn: (channel: string) => `Rights no longer proven: ${channel}`,
  },
  setup: {
    title: "Setup changed",
    titleIn: (channel: string) => `Setup changed: ${channel}`,
  },
  webhook: {
    title: (name: string) => `The webhook ${name} cannot be called`,
    since: (time: string, error: string) => `Every call has failed since ${time}. ${error}`,
    next: "Calls are tried again for a day. /setup webhooks shows the calls.",
  },
  lockdown: {
    begun: (channel: string) => `Locked down: ${channel}`,
    over: (channel: string) => `No longer locked down: ${channel}`,
    expired: "It expired",
    until: (time: string) =>
      `Until ${time} casts of people who are not members are hidden. /lockdown end:True ends it sooner.`,
    hid: (casts: number, unsure: number) => describeHiddenByLockdown({ casts, inDoubt: unsure }),
  },
  key: {
    titles: {
      refused: "The network refuses Castellan's key",
      ends_soon: "Castellan's key expires soon",
      ended: "Castellan's key has expired",
      powerless: "Castellan's key has no scopes",
      gone: "Castellan's key is gone",
    },
    answers: (message: string) => `It answers: ${message}`,
    state: (message: string) => `The key ${message}`,
    endsSoon: "Until then Castellan acts as usual.",
    cannotAct: "In the meantime Castellan cannot act on Farcaster.",
    next: (command: string) => `Its operator can run ${command} for details`,
  },
  /** In rooms for readers: in place of a hidden or deleted cast, and of what only moderators see. */
  readers: { gone: "This cast is no longer shown.", notHere: "This is not shown here." },
  unshown: (number: string) => `Event ${number} could not be shown. The program's log has the cause.`,

  digest: {
    titles: {
      old: (count: number) => `${count} events that could not be posted in time`,
      flood: (count: number) => `${count} events that came faster than they can be posted`,
      sum: (count: number) => `${count} events`,
    },
    why: {
      old: "They are summarized because they are already old.",
      flood: "They are summarized so that new events do not have to wait.",
      sum: "They are summarized because this room has digests on (/feed room).",
    },
    period: (from: string, until: string) => `From ${from} to ${until}.`,
    kinds: {
      names: "names",
      records: "records",
      bans: "bans",
      restrictions: "restrictions",
      members: "members",
      invites: "invites",
      pins: "pins",
      channel: "channel",
      casts: "casts",
      rules: "rules",
      reviews: "reviews",
      cases: "cases",
      health: "health",
    },
    reviewsOpen: "Reviews are still open: /review show lists them.",
    lookUp: "Cases and members can still be looked up.",
    footer: (first: string, last: string) => `${first} to ${last}`,
  },

  cases,
  outcomes,
  bulk,
  review,
  buttons,
};

/** The same for each language. */
export type PostTexts = typeof posts;

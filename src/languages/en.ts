import { createPlural } from "./plurals.ts";

const plural = createPlural("en");

/**
 * The texts for members, in English: the source of the other languages, which have the same shape. A text with parameters is a
 * function, whose parameters all appear in it.
 */
export const en = {
  stillWorking:
    "Still working. Discord accepts answers for only 15 minutes, so the result will be posted in this room. Only you can open it.",
  errors: {
    failed: (id: string) =>
      `Something went wrong (${id}). The operator can find the cause in the log with this id.`,
    unshownFailure: (id: string) =>
      `That failed, and Discord refused the message with the reason. The operator can find the error in the log with this id: ${id}.`,
    unshown: (id: string) =>
      `Discord refused to show the answer. The command itself was carried out: check before you repeat it. The operator can find the error in the log with this id: ${id}.`,
    unstorable:
      "Nothing was done, because the text contains U+0000 or half of a character. Type it again without it.",
    onlyInServers: "Castellan works only in servers, not in private messages.",
  },
  /** As Discord names the language. */
  locale: "en-US",
  /** Of commands ("report cast") and their options ("report cast:reason"), for Discord. At most 100 characters. */
  descriptions: {
    report: "Casts that members report to the moderators",
    "report cast": "Report a cast to the moderators of its channel; nothing happens until they decide",
    "report cast:cast": "Which cast: hash or link",
    "report cast:reason": "What is wrong with it; the moderators will read this",
    appeal: "Ask the moderators to review your ban or hidden cast; without a text, shows your appeals",
    "appeal:text": "Why it should be undone; the moderators will read this",
    "appeal:case": "The case's number, such as C-12, if there are several",
    "appeal:channel": "Its channel, if you have cases in several",
    "appeal:user": "Your own Farcaster account, if Castellan cannot find it: fid or @name",
    help: "What you can do with Castellan, and what it cannot do",
    "help:about": "Only commands about this topic, with descriptions",
  },
  /** Names in the menus of messages, also titles of their forms. At most 32 characters. */
  menuNames: { Report: "Report" },
  menus: {
    noCast: "This message is not about a cast that Castellan knows.",
    whichOne: "Which one?",
    chooseOne: "This message mentions more than one. Choose one.",
    gone: "This menu command no longer exists.",
  },
  reports: {
    /** At most 45 characters. */
    reasonLabel: "What is wrong with it? (optional)",
    sent: "Reported",
    notSent: "Not reported again",
    first: (channelId: string) =>
      `The moderators of /${channelId} will review it and see who reported it and why. Nothing is hidden until one of them decides.`,
    joined: (channelId: string) =>
      `Others have reported it too, and your report is added. Nothing is hidden until a moderator of /${channelId} decides.`,
    again: (channelId: string) =>
      `You have already reported this cast. The moderators of /${channelId} have not decided yet, so nothing was added.`,
    decided: (channelId: string) =>
      `The moderators of /${channelId} have already reviewed it. Nothing was added.`,
    dismissed: (channelId: string) =>
      `The moderators of /${channelId} have already reviewed it and left it as it is. Nothing was added.`,
    unseen: (channels: string) =>
      `Castellan has seen no such cast in a channel of this server (${channels}), so nothing was reported.`,
    andMore: (channels: string, count: number) => `${channels} and ${count} more`,
    deleted: "The author has deleted that cast, so there is nothing to report.",
    hidden: "That cast is already hidden, so nothing was reported.",
    ignored: (channelId: string) =>
      `The moderators of /${channelId} no longer accept reports from you, so nothing was reported. Talk to them if you think this is a mistake.`,
    tooManyOwn: (max: number, minutes: number) =>
      `One person can report at most ${max} casts an hour; nothing was reported. Try again in ${inMinutes(minutes)}, or tell a moderator yourself.`,
    tooMany: (max: number, minutes: number) =>
      `This server accepts at most ${max} reports an hour; nothing was reported. Try again in ${inMinutes(minutes)}, or tell a moderator yourself.`,
    tooManyRecent: (max: number, minutes: number) =>
      `From people who have reported within a day, this server accepts at most ${max} reports an hour; nothing was reported. Try again in ${inMinutes(minutes)}, or tell a moderator yourself.`,
  },
};

function inMinutes(minutes: number): string {
  return plural(minutes, { one: "a minute", other: "# minutes" });
}

export type Texts = typeof en;

import { formatDuration } from "../text/duration.ts";
import { createPlural } from "./plurals.ts";
import { posts } from "./posts/en.ts";

const plural = createPlural("en");

/**
 * The texts for members and of posts in rooms, in English: the source of the other languages, which have the same shape. A
 * text with parameters is a function, and uses each of them.
 */
export const en = {
  /** As Discord names the language. */
  locale: "en-US",
  /** Of commands ("rule show") and their options ("report:reason"), shown by Discord. At most 100 characters. */
  descriptions: {
    report: "Report a cast to the moderators of its channel; nothing happens until they decide",
    "report:cast": "Which cast: its link, as the Farcaster app copies it, or its hash",
    "report:reason": "What is wrong with it; the moderators will read this",
    appeal: "Ask the moderators to review your ban or hidden cast; without a text, shows your appeals",
    "appeal:text": "Why it should be undone; the moderators will read this",
    "appeal:case": "The case's number, such as C-12, if there are several",
    "appeal:channel": "Its channel, if you have cases in several",
    "appeal:user": "Your own Farcaster account, if Castellan cannot find it: fid or @name",
    help: "What you can do with Castellan, and what it cannot do",
    "help:about": "Only commands about this topic, with descriptions",
  },
  /** The topics of /help, also choices of its option. At most 100 characters. */
  topics: {
    People: "People",
    Casts: "Casts",
    "The record and the queue": "The record and the queue",
    Rules: "Rules",
    Feeds: "Feeds",
    "Channels and permissions": "Channels and permissions",
  },
  /** Names in the menus of messages, also titles of their forms. At most 32 characters. */
  menuNames: { Report: "Report" },

  help: {
    title: "Castellan: Farcaster channels, run from here",
    click: "Click a command to type it.",
    none: "You can't use any of these commands here.",
    forModerators: (count: number) =>
      plural(count, {
        one: "Another command is for those who moderate.",
        other: "The other # commands are for those who moderate.",
      }),
    becomeModerator:
      "You are one of them once you own or moderate a channel of this server on Farcaster and have verified this Discord account there, or once the channel's owner gives permissions to a role of yours.",
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
      `Castellan has seen no such cast in a channel of this server (${channels}), so nothing was reported. Copy the cast's link in the Farcaster app and paste it here, or open Apps › Report on a post about it.`,
    andMore: (channels: string, count: number) => `${channels} and ${count} more`,
    deleted: "The author has deleted that cast, so there is nothing to report.",
    hidden: "That cast is already hidden, so nothing was reported.",
    ignored: (channelId: string) =>
      `The moderators of /${channelId} no longer accept reports from you, so nothing was reported. Talk to them if you think this is a mistake.`,
    tooManyOwn: (max: number, minutes: number) =>
      `One person can report at most ${max} casts an hour; nothing was reported. ${tryAgain(minutes)}`,
    tooMany: (max: number, minutes: number) =>
      `This server accepts at most ${max} reports an hour; nothing was reported. ${tryAgain(minutes)}`,
    tooManyRecent: (max: number, minutes: number) =>
      `From people who have reported within a day, this server accepts at most ${max} reports an hour; nothing was reported. ${tryAgain(minutes)}`,
  },

  appeals: {
    title: "Your appeals",
    nothingSent: "Nothing was sent.",
    canAppeal: "You can appeal each of these once: use /appeal and say why.",
    ban: (channelId: string) => `Ban in /${channelId}`,
    hide: (channelId: string) => `Hidden cast in /${channelId}`,
    which: "Which one do you want to appeal?",
    several: "There are several. Choose one with the case option.",
    unknown: "You have nothing like that to appeal. /appeal lists it.",
    notACase: "Not the number of a case. Write it as C-12 or 12.",
    none: (fids: string) =>
      `There is nothing to appeal for ${fids}. Is it about another account of yours? Name it with the \`user\` option.`,
    unknownAccount: (user: string) =>
      `Castellan does not know which Farcaster account is ${user}'s. Connect Discord to your Farcaster account first.`,
    unknownAccountLive: (user: string) =>
      `Castellan does not know which Farcaster account is ${user}'s. Name your account with the \`user\` option. It must have verified your Discord account.`,
    notVerified: (fid: number) =>
      `fid ${fid} has not verified your Discord account as its own, so you cannot speak for it. Connect Discord to that account in your Farcaster app, and try again.`,
    notVerifiedLive: (fid: number) =>
      `fid ${fid} has not verified your Discord account as its own, so you cannot speak for it. Connect Discord to that account in your Farcaster app, and try again after a minute.`,
    sent: "Appeal sent",
    sentBan: (channelId: string, number: string) =>
      `The moderators of /${channelId} will review your ban (${number}). They see what you wrote and who you are here. Nothing changes until they decide.`,
    sentHide: (channelId: string, number: string) =>
      `The moderators of /${channelId} will review your hidden cast (${number}). They see what you wrote and who you are here. Nothing changes until they decide.`,
    answerComes:
      "You get the answer as a private message if you accept messages from this server's members. /appeal shows it too.",
    notInEffect: "That is no longer in effect, or you have already appealed. /appeal shows its status.",
    oneAtATime: (number: string, channelId: string) =>
      `Your appeal about ${number} in /${channelId} is still waiting for the moderators. You can have one appeal at a time. Nothing was sent.`,
    tooMany: (max: number) =>
      `This server accepts at most ${max} appeals an hour; nothing was sent. Try again in an hour.`,
  },
  /** Why a second appeal is not accepted. */
  appealedBefore: {
    lifted: (number: string, channelId: string) =>
      `You have already appealed ${number} in /${channelId}, and that ban was lifted.`,
    shown: (number: string, channelId: string) =>
      `You have already appealed ${number} in /${channelId}, and that cast is shown again.`,
    open: (number: string, channelId: string) =>
      `You have already appealed ${number} in /${channelId}; the moderators have not decided yet. Nothing was sent.`,
    granted: (number: string, channelId: string) =>
      `You have already appealed ${number} in /${channelId}, and the moderators granted it. Nothing was sent.`,
    declined: (number: string, channelId: string) =>
      `You have already appealed ${number} in /${channelId}, and the moderators decided to leave it as it is. Nothing was sent.`,
  },
  /** The list of one's own appeals: `what` is a case, and the times are shown as "5 minutes ago". */
  appealStates: {
    open: (what: string, appealed: string) =>
      `${what}, appealed ${appealed}: the moderators have not decided yet.`,
    granted: (what: string, appealed: string, decided: string) =>
      `${what}, appealed ${appealed}: granted ${decided}.`,
    declined: (what: string, appealed: string, decided: string) =>
      `${what}, appealed ${appealed}: not granted ${decided}; it stays.`,
    lifted: "That ban was lifted.",
    shown: "It was shown again.",
    unconfirmed: "The network has not confirmed it yet.",
  },
  /** The private message with the answer to an appeal. */
  appealAnswers: {
    granted: "Your appeal was granted",
    declined: "Your appeal was not granted",
    ban: (channelId: string, number: string) =>
      `The moderators looked again at your ban from /${channelId} (${number}).`,
    hide: (channelId: string, number: string) =>
      `The moderators looked again at your cast in /${channelId} that was hidden (${number}).`,
    banLifted: "The ban is lifted. You need a new invite to become a member again.",
    castShown: "The cast shows again.",
    banStays: "The ban stays.",
    castStays: "The cast stays hidden.",
    replacesEarlier: "This takes the place of an earlier answer.",
    footer: (number: string, answer: number) => `Appeal ${number}, answer ${answer}`,
  },
  /** Around and in the private message about an action, whose text is the channel's own template. */
  notices: {
    ban: (channelId: string) => `You were banned from /${channelId}`,
    hide: (channelId: string) => `A cast of yours was hidden in /${channelId}`,
    noReason: "no reason was given",
    permanent: "permanently",
    untilShown: "until a moderator shows it again",
    footer: (number: string, channelId: string, key: string) => `Case ${number} in /${channelId}, ${key}`,
  },

  /** What a person typed for a cast, an account or a channel. */
  typed: {
    unknownCast: (link: string) =>
      `Unknown cast. Paste its link, which you copy in the Farcaster app where you share the cast (\`${link}\`). Its hash (0x and 40 digits) works, too.`,
    severalCasts: (hash: string) => `Several casts begin with ${hash}. Give the whole hash.`,
    unseenCast: (hash: string) =>
      `Castellan has seen no cast whose hash begins with ${hash}. Copy the link again, or give the whole hash.`,
    unusedName: (name: string) =>
      `Nobody holds the name ${name} now. Write another name, or the fid (such as fid 7).`,
    unknownUser: (link: string) =>
      `Unknown user. Write a fid in digits only (7), a name (@alice) or a profile link (\`${link}\`).`,
    unclearUser: (typed: string, link: string) =>
      `${typed} can be read in more than one way. Write a fid in digits only (7), a name (@alice) or a profile link (\`${link}\`), one user at a time.`,
    notAChannel: "Not a channel. Give its id, such as memes, or its link.",
  },
  /** A cast in one line. */
  cast: posts.cast.parts,
  ago: (seconds: number) => `${formatDuration(seconds)} ago`,
  /** A suggestion, before the cast's text. */
  suggested: (who: string, ago: string) => `${who}, ${ago}: `,
  suggestedIn: (who: string, channelId: string, ago: string) => `${who} in /${channelId}, ${ago}: `,
  andMore: (count: number) => `… and ${count} more`,

  links: {
    none: "This server is not linked to any channel yet. Someone who owns or moderates a channel and has Manage Server here can link it with /setup link.",
    noneWorks: "None of this server's links to channels works at the moment. Tell its moderators.",
    ended: (channelId: string) => `This server is no longer linked to /${channelId}. Nothing was sent.`,
  },

  menus: {
    noCast: "This message is not about a cast that Castellan knows.",
    whichOne: "Which one?",
    chooseOne: "This message mentions more than one. Choose one.",
    typeAnother: (question: string, count: number) => `${question} (Type one of the ${count} others.)`,
  },
  /** Buttons, menus and forms that no longer work. */
  outdated: {
    buttons: "These buttons are too old. Nothing was done; please run the command again.",
    buttonsOfEarlier:
      "These buttons are from an older version. Nothing was done; please run the command again.",
    button: "This button is from an older version. Please run the command again.",
    menu: "This menu is from an older version. Please run the command again.",
    form: "This form is from an older version. Please run the command again.",
    answer: "That answer has expired. Please run the command again.",
    /** A path such as "feed add". */
    command: (path: string) => `The command /${path} no longer exists.`,
    menuCommand: "This menu command no longer exists.",
    notYours: "These buttons belong to the person who ran the command.",
    answered: "This has already been answered. /case show shows the outcome.",
  },
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
    slow: "The network is too slow for a form right now. Please try again in a moment.",
  },
  stillWorking:
    "Still working. Discord accepts answers for only 15 minutes, so the result will be posted in this room. Only you can open it.",
  /** In rooms, in the language that each room is set to. */
  posts,
};

/** The same for each language. A missing text, or one without its parameters' types, does not compile. */
export type Texts = typeof en;

function tryAgain(minutes: number): string {
  const wait = plural(minutes, { one: "a minute", other: "# minutes" });
  return `Try again in ${wait}, or tell a moderator yourself.`;
}

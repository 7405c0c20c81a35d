import { PermissionFlagsBits } from "discord.js";
import type { Command } from "../src/discord/command.ts";
import { appeal } from "./appeal.ts";
import { lift } from "./automod/lift.ts";
import { lockdown } from "./automod/lockdown.ts";
import { pause } from "./automod/pause.ts";
import { resume } from "./automod/resume.ts";
import { addBan } from "./ban/add.ts";
import { listBans } from "./ban/list.ts";
import { removeBan } from "./ban/remove.ts";
import { audit } from "./audit.ts";
import { commentOnCase } from "./case/comment.ts";
import { changeDuration } from "./case/duration.ts";
import { exportFile } from "./case/export.ts";
import { reasonOfCase } from "./case/reason.ts";
import { softBan } from "./ban/soft.ts";
import { hideCasts, unhideCasts } from "./bulk/casts.ts";
import { listOfBulks } from "./bulk/list.ts";
import { showOneBulk } from "./bulk/show.ts";
import { stopOneBulk } from "./bulk/stop.ts";
import { undoBulk } from "./bulk/undo.ts";
import { banUsers, unbanUsers } from "./bulk/users.ts";
import { listCases } from "./case/list.ts";
import { undoCase } from "./case/undo.ts";
import { viewCase } from "./case/view.ts";
import { channelInfo } from "./channel/info.ts";
import { answerLinkButton, link } from "./channel/link.ts";
import { message } from "./channel/message.ts";
import { sign } from "./channel/prove.ts";
import { settings } from "./channel/settings.ts";
import { unlink } from "./channel/unlink.ts";
import { addFeed } from "./feed/add.ts";
import { editFeed } from "./feed/edit.ts";
import { listOfFeeds } from "./feed/list.ts";
import { removeFeed } from "./feed/remove.ts";
import { feedRoom } from "./feed/room.ts";
import { testFeed } from "./feed/test.ts";
import { help } from "./help/help.ts";
import { hide } from "./hide.ts";
import { listInvites } from "./invite/list.ts";
import { inviteMember } from "./invite/member.ts";
import { inviteModerator } from "./invite/moderator.ts";
import { revokeInvite } from "./invite/revoke.ts";
import { addNote } from "./note/add.ts";
import { notesOf } from "./note/list.ts";
import { memberInfo } from "./member/info.ts";
import { listMembers } from "./member/list.ts";
import { removeMember } from "./member/remove.ts";
import { nameHistory } from "./name/history.ts";
import { lookUpName } from "./name/lookup.ts";
import { clearPin } from "./pin/clear.ts";
import { setPin } from "./pin/set.ts";
import { reportOneCast } from "./report/cast.ts";
import { heedReports } from "./report/heed.ts";
import { ignoreReports } from "./report/ignore.ts";
import { answerReviewButton } from "./review/button.ts";
import { decideReviews } from "./review/decide.ts";
import { listReviews } from "./review/list.ts";
import { showReview } from "./review/show.ts";
import { editRules } from "./rule/edit.ts";
import { explainRules } from "./rule/explain.ts";
import { ruleHistory } from "./rule/history.ts";
import { importRules } from "./rule/import.ts";
import { listRules } from "./rule/list.ts";
import { changeRuleMode } from "./rule/mode.ts";
import { rollbackRules } from "./rule/rollback.ts";
import { showRule } from "./rule/show.ts";
import { starterSet } from "./rule/starter.ts";
import { suggestFromDeeds } from "./rule/suggest.ts";
import { sweepRule } from "./rule/sweep.ts";
import { testRules } from "./rule/test.ts";
import { undoRule } from "./rule/undo.ts";
import { stats } from "./stats/stats.ts";
import { status } from "./status.ts";
import { addStrike } from "./strike/add.ts";
import { strikesOf } from "./strike/list.ts";
import { takeStrike } from "./strike/remove.ts";
import { unhide } from "./unhide.ts";
import { who } from "./who/who.ts";

export { menuCommands } from "./menus.ts";

/*
 * To whom Discord offers a command at first. Castellan itself goes by rights in channels, whatever a person may in Discord:
 * a server opens commands to other roles under Integrations.
 */
const managers = PermissionFlagsBits.ManageGuild;
/** "Timeout Members". */
const moderators = PermissionFlagsBits.ModerateMembers;

const explained: readonly Command[] = [
  {
    name: "channel",
    offeredTo: managers,
    description: "Channels of this server",
    subcommands: { info: channelInfo, link, sign, unlink, settings, message },
    onButton: answerLinkButton,
  },
  {
    name: "invite",
    offeredTo: moderators,
    description: "Invites to the channel and roles in it",
    subcommands: {
      member: inviteMember,
      moderator: inviteModerator,
      revoke: revokeInvite,
      list: listInvites,
    },
  },
  {
    name: "ban",
    offeredTo: moderators,
    description: "Bans of the channel",
    subcommands: { add: addBan, soft: softBan, remove: removeBan, list: listBans },
  },
  { name: "hide", offeredTo: moderators, handler: hide },
  { name: "unhide", offeredTo: moderators, handler: unhide },
  {
    name: "pin",
    offeredTo: moderators,
    description: "The cast that is pinned in the channel",
    subcommands: { set: setPin, clear: clearPin },
  },
  {
    name: "feed",
    offeredTo: moderators,
    description: "What rooms are told about the channels",
    subcommands: {
      add: addFeed,
      edit: editFeed,
      remove: removeFeed,
      test: testFeed,
      room: feedRoom,
      list: listOfFeeds,
    },
  },
  {
    name: "rule",
    offeredTo: moderators,
    description: "Rules that act when nobody is awake",
    subcommands: {
      list: listRules,
      show: showRule,
      import: importRules,
      mode: changeRuleMode,
      test: testRules,
      explain: explainRules,
      edit: editRules,
      history: ruleHistory,
      rollback: rollbackRules,
      undo: undoRule,
      sweep: sweepRule,
      starter: starterSet,
      suggest: suggestFromDeeds,
    },
  },
  {
    name: "automod",
    offeredTo: moderators,
    description: "Pause the rules of a channel, let them act again, or lock it down for a time",
    subcommands: { pause, resume, lockdown, lift },
  },
  {
    name: "review",
    offeredTo: moderators,
    description: "What rules hold and members report, for a person to decide",
    onButton: answerReviewButton,
    subcommands: { list: listReviews, show: showReview, decide: decideReviews },
  },
  {
    // For every member of the server.
    name: "report",
    description: "Casts that members bring before the moderators",
    subcommands: { cast: reportOneCast, ignore: ignoreReports, heed: heedReports },
  },
  // For every member, as /report.
  { name: "appeal", handler: appeal },
  {
    name: "case",
    offeredTo: moderators,
    description: "The numbered record of what was done",
    subcommands: {
      view: viewCase,
      list: listCases,
      duration: changeDuration,
      reason: reasonOfCase,
      comment: commentOnCase,
      export: exportFile,
      undo: undoCase,
    },
  },
  {
    name: "bulk",
    offeredTo: moderators,
    description: "What is done to many targets at once",
    subcommands: {
      hide: hideCasts,
      unhide: unhideCasts,
      ban: banUsers,
      unban: unbanUsers,
      show: showOneBulk,
      list: listOfBulks,
      undo: undoBulk,
      stop: stopOneBulk,
    },
  },
  {
    name: "note",
    offeredTo: moderators,
    description: "What moderators write down about people",
    subcommands: { add: addNote, list: notesOf },
  },
  {
    name: "strike",
    offeredTo: moderators,
    description: "Points against people, by rules or by hand",
    subcommands: { add: addStrike, remove: takeStrike, list: strikesOf },
  },
  {
    name: "member",
    offeredTo: moderators,
    description: "Members of the channel",
    subcommands: { list: listMembers, info: memberInfo, remove: removeMember },
  },
  {
    name: "name",
    offeredTo: moderators,
    description: "Names and who holds them",
    subcommands: { lookup: lookUpName, history: nameHistory },
  },
  { name: "audit", offeredTo: moderators, handler: audit },
  { name: "who", offeredTo: moderators, handler: who },
  { name: "stats", offeredTo: moderators, handler: stats },
  { name: "status", offeredTo: moderators, handler: status },
];

/** Every slash command: what is deployed, and what is answered. */
export const commands: readonly Command[] = [...explained, { name: "help", handler: help(explained) }];

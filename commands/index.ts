import type { Command } from "../src/discord/command.ts";
import { appeal } from "./appeal.ts";
import { lift, lockdown } from "./automod/lockdown.ts";
import { pause, resume } from "./automod/pause.ts";
import { addBan } from "./ban/add.ts";
import { listBans } from "./ban/list.ts";
import { banReasons } from "./ban/reasons.ts";
import { removeBan } from "./ban/remove.ts";
import { audit } from "./audit.ts";
import { commentOnCase, reasonOfCase } from "./case/edit.ts";
import { changeDuration } from "./case/duration.ts";
import { exportFile } from "./case/export.ts";
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
import { link, linkButton } from "./channel/link.ts";
import { message } from "./channel/message.ts";
import { sign } from "./channel/prove.ts";
import { settings } from "./channel/settings.ts";
import { unlink } from "./channel/unlink.ts";
import { addFeed } from "./feed/add.ts";
import { editFeed } from "./feed/edit.ts";
import { listOfFeeds } from "./feed/list.ts";
import { removeFeed } from "./feed/remove.ts";
import { feedRoom } from "./feed/room.ts";
import { help, type Groups } from "./help/help.ts";
import { hide } from "./hide.ts";
import { listInvites } from "./invite/list.ts";
import { inviteMember } from "./invite/member.ts";
import { inviteModerator } from "./invite/moderator.ts";
import { revokeInvite } from "./invite/revoke.ts";
import { addToList } from "./list/add.ts";
import { blockFromCast } from "./list/block.ts";
import { removeFromList } from "./list/remove.ts";
import { showList } from "./list/show.ts";
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
import { unignoreReports, ignoreReports } from "./report/ignore.ts";
import { reviewButtons } from "./review/button.ts";
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
import { suggestFromActions } from "./rule/suggest.ts";
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

/** The slash commands by what one wants to do, in the order in which /help shows them, except /help itself. */
const groups: Groups = {
  People: [
    { name: "who", handler: who },
    {
      name: "member",
      description: "Members of the channel",
      subcommands: { list: listMembers, info: memberInfo, remove: removeMember },
    },
    {
      name: "ban",
      description: "Bans of the channel",
      subcommands: { add: addBan, soft: softBan, remove: removeBan, list: listBans, reasons: banReasons },
    },
    {
      name: "invite",
      description: "Invites to the channel and roles in it",
      subcommands: {
        member: inviteMember,
        moderator: inviteModerator,
        revoke: revokeInvite,
        list: listInvites,
      },
    },
    {
      name: "name",
      description: "Names and who holds them",
      subcommands: { lookup: lookUpName, history: nameHistory },
    },
  ],
  Casts: [
    { name: "hide", handler: hide },
    { name: "unhide", handler: unhide },
    {
      name: "pin",
      description: "The cast that is pinned in the channel",
      subcommands: { set: setPin, clear: clearPin },
    },
  ],
  "Many at once": [
    {
      name: "bulk",
      description: "What is done to many targets at once",
      subcommands: {
        hide: hideCasts,
        unhide: unhideCasts,
        ban: banUsers,
        unban: unbanUsers,
        list: listOfBulks,
        show: showOneBulk,
        stop: stopOneBulk,
        undo: undoBulk,
      },
    },
  ],
  "What was done, and what waits": [
    {
      name: "case",
      description: "The numbered record of what was done",
      subcommands: {
        list: listCases,
        view: viewCase,
        undo: undoCase,
        duration: changeDuration,
        reason: reasonOfCase,
        comment: commentOnCase,
        export: exportFile,
      },
    },
    {
      name: "note",
      description: "What moderators write down about people",
      subcommands: { add: addNote, list: notesOf },
    },
    {
      name: "strike",
      description: "Points against people, by rules or by hand",
      subcommands: { add: addStrike, remove: takeStrike, list: strikesOf },
    },
    { name: "stats", handler: stats },
    { name: "audit", handler: audit },
    {
      name: "review",
      description: "What rules hold and members report, for a person to decide",
      onButton: reviewButtons,
      subcommands: { list: listReviews, show: showReview, decide: decideReviews },
    },
    { name: "appeal", handler: appeal },
    {
      name: "report",
      description: "Casts that members bring before the moderators",
      subcommands: { cast: reportOneCast, ignore: ignoreReports, heed: unignoreReports },
    },
  ],
  Rules: [
    {
      name: "rule",
      description: "Rules that act when nobody is awake",
      subcommands: {
        list: listRules,
        show: showRule,
        starter: starterSet,
        suggest: suggestFromActions,
        edit: editRules,
        mode: changeRuleMode,
        test: testRules,
        sweep: sweepRule,
        undo: undoRule,
        explain: explainRules,
        import: importRules,
        history: ruleHistory,
        rollback: rollbackRules,
      },
    },
    {
      name: "list",
      description: "Lists of links, phrases and people that rules look at",
      subcommands: { show: showList, add: addToList, remove: removeFromList, block: blockFromCast },
    },
    {
      name: "automod",
      description: "Pause the rules of a channel, let them act again, or lock it down for a time",
      subcommands: { pause, resume, lockdown, lift },
    },
  ],
  "What rooms are told": [
    {
      name: "feed",
      description: "What rooms are told about the channels",
      subcommands: {
        add: addFeed,
        list: listOfFeeds,
        edit: editFeed,
        room: feedRoom,
        remove: removeFeed,
      },
    },
  ],
  "Channels and rights": [
    {
      name: "channel",
      description: "Channels of this server",
      subcommands: { info: channelInfo, settings, message, link, sign, unlink },
      onButton: linkButton,
    },
    { name: "status", handler: status },
  ],
};

/** Every slash command: what is deployed, and what is answered. */
export const commands: readonly Command[] = [
  ...Object.values(groups).flat(),
  { name: "help", handler: help(groups) },
];

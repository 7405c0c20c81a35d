import type { Command } from "../src/discord/command.ts";
import { appeal } from "./appeal.ts";
import { banUser } from "./ban/ban.ts";
import { audit } from "./audit.ts";
import { editCase } from "./case/edit.ts";
import { showCases } from "./case/show.ts";
import { link, linkButton } from "./setup/link.ts";
import { message } from "./setup/message.ts";
import { savedReasons } from "./setup/reasons.ts";
import { permissions } from "./setup/permissions.ts";
import { tokens } from "./setup/tokens.ts";
import { webhooks } from "./setup/webhooks.ts";
import { unlink } from "./setup/unlink.ts";
import { timeZone } from "./setup/zone.ts";
import { addFeed } from "./feed/add.ts";
import { editFeed } from "./feed/edit.ts";
import { listOfFeeds } from "./feed/list.ts";
import { removeFeed } from "./feed/remove.ts";
import { feedRoom } from "./feed/room.ts";
import { help, type Groups } from "./help/help.ts";
import { find } from "./find.ts";
import { hide } from "./hide/hide.ts";
import { invite } from "./invite/invite.ts";
import { lockdown } from "./lockdown.ts";
import { addToList } from "./list/add.ts";
import { removeFromList } from "./list/remove.ts";
import { showList } from "./list/show.ts";
import { note } from "./note.ts";
import { pin } from "./pin.ts";
import { report } from "./report.ts";
import { reviewButtons } from "./review/button.ts";
import { decideReviews } from "./review/decide.ts";
import { ignoreReports } from "./review/ignore.ts";
import { showReview } from "./review/show.ts";
import { editRules } from "./rule/edit.ts";
import { explainRules } from "./rule/explain.ts";
import { importRules } from "./rule/import.ts";
import { changeRuleMode } from "./rule/mode.ts";
import { pause, resume } from "./rule/pause.ts";
import { rollbackRules } from "./rule/rollback.ts";
import { showRules } from "./rule/show.ts";
import { starterSet } from "./rule/starter.ts";
import { suggestFromActions } from "./rule/suggest.ts";
import { sweepRule } from "./rule/sweep.ts";
import { testRules } from "./rule/test.ts";
import { stats } from "./stats/stats.ts";
import { status } from "./status.ts";
import { strike } from "./strike.ts";
import { undo } from "./undo/undo.ts";
import { who } from "./who/who.ts";

export { menuCommands } from "./menus.ts";

/** The slash commands by task, in the order of /help, except /help itself. */
const groups: Groups = {
  People: [
    { name: "who", handler: who },
    { name: "ban", handler: banUser },
    { name: "invite", handler: invite },
  ],
  Casts: [
    { name: "find", handler: find },
    { name: "hide", handler: hide },
    { name: "pin", handler: pin },
  ],
  "The record and the queue": [
    { name: "undo", handler: undo },
    {
      name: "case",
      description: "The numbered record of all actions",
      subcommands: {
        show: showCases,
        edit: editCase,
      },
    },
    { name: "note", handler: note },
    { name: "strike", handler: strike },
    { name: "stats", handler: stats },
    { name: "audit", handler: audit },
    {
      name: "review",
      description: "Items held by rules or reported by members, for a person to decide",
      onButton: reviewButtons,
      subcommands: { show: showReview, decide: decideReviews, ignore: ignoreReports },
    },
    { name: "appeal", handler: appeal },
    { name: "report", handler: report },
  ],
  Rules: [
    {
      name: "rule",
      description: "Rules that act automatically",
      subcommands: {
        show: showRules,
        starter: starterSet,
        suggest: suggestFromActions,
        edit: editRules,
        mode: changeRuleMode,
        test: testRules,
        sweep: sweepRule,
        explain: explainRules,
        import: importRules,
        rollback: rollbackRules,
        pause,
        resume,
      },
    },
    {
      name: "list",
      description: "Lists of links, phrases and people that rules look at",
      subcommands: { show: showList, add: addToList, remove: removeFromList },
    },
    { name: "lockdown", handler: lockdown },
  ],
  Feeds: [
    {
      name: "feed",
      description: "Posts about the channels in rooms",
      subcommands: {
        add: addFeed,
        show: listOfFeeds,
        edit: editFeed,
        room: feedRoom,
        remove: removeFeed,
      },
    },
  ],
  "Channels and permissions": [
    {
      name: "setup",
      description: "Links to channels, permissions and connections of this server",
      subcommands: {
        link,
        unlink,
        permissions,
        zone: timeZone,
        tokens,
        webhooks,
        message,
        reasons: savedReasons,
      },
      onButton: linkButton,
    },
    { name: "status", handler: status },
  ],
};

/** Every slash command, as deployed and answered. */
export const commands: readonly Command[] = [
  ...Object.values(groups).flat(),
  { name: "help", handler: help(groups) },
];

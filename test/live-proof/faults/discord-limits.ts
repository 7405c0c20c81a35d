import type { Point } from "../fault.ts";

const deploy = "test/discord/deploy-commands.test.ts";
const feed = "test/commands/feed.test.ts";
const late = "test/discord/late-answer.test.ts";
const passing = "test/feed/passing-refusals.test.ts";
const refusals = "test/discord/count-refusals.test.ts";
const rooms = "test/discord/rooms.test.ts";

/** D5 to D10: Discord's refusals, limits and requirements. */
export const discordLimits: readonly Point[] = [
  {
    id: "D5",
    holds:
      "A message that AutoMod, slow mode, a closed thread or Cloudflare refuses is sent later: no news is lost or repeated, and no room is closed for it.",
    faults: [
      {
        broken: "a message that AutoMod blocks is given up",
        file: "src/feed/deliver/deliver.ts",
        from: 'const waits = classify(cause) === "blocked" && !isOver;',
        to: "const waits = isOver && !isOver;",
        tests: {
          [passing]: [
            "a message that AutoMod blocks > holds up no other, is shown, and is told once when AutoMod lets it through",
          ],
        },
      },
      {
        broken: "AutoMod's refusal of a message pauses the room",
        file: "src/discord/explain-refusal.ts",
        from: '"message_blocked",\n',
        to: '"room_unavailable",\n',
        tests: {
          [passing]: [
            "a message that AutoMod blocks > holds up no other, is shown, and is told once when AutoMod lets it through",
          ],
        },
      },
      {
        broken: "a clock that jumps by a week ends the attempts",
        file: "src/feed/deliver/deliver.ts",
        from: "now - boundAtMs > blockedLimit.time && attempts >= blockedLimit.tries;",
        to: "now - boundAtMs > blockedLimit.time;",
        tests: {
          [passing]: [
            "a message that AutoMod blocks > is given up after a week of tries, and not by a clock that jumps",
          ],
        },
      },
      {
        broken: "slow mode loses the message that it refuses",
        file: "src/discord/explain-refusal.ts",
        from: "if (code === slowMode) {",
        to: "if (code === -slowMode) {",
        tests: { [rooms]: ["what goes wrong > slow mode is told as what it is"] },
      },
      {
        broken: "Cloudflare's refusal of the address counts as the room's",
        file: "src/discord/explain-refusal.ts",
        from: "  if (isAddressBlocked(error)) {\n    return",
        to: "  if (code < 0) {\n    return",
        tests: {
          [passing]: [
            "what Cloudflare refuses is told when it lets this machine in again, and no room is blamed",
          ],
        },
      },
      {
        broken: "in a thread the permission to write in its room is enough",
        file: "src/discord/room-permissions.ts",
        from: "{ room: writingInThreads, thread: writing, unknown: undefined }[kind]",
        to: "{ room: writingInThreads, thread: writingInThreads, unknown: undefined }[kind]",
        tests: {
          [feed]: ["/feed > asks for writing in threads where the room is one, and not for writing in rooms"],
        },
      },
    ],
  },
  {
    id: "D6",
    holds:
      "All processes count 401, 403 and 429 responses together. Before Discord bans the address, Castellan slows down, then stops.",
    faults: [
      {
        broken: "403 is not counted",
        file: "src/discord/count-refusals.ts",
        from: "return status === 401 || status === 403;",
        to: "return status === 401;",
        tests: {
          [refusals]: [
            "calls that Discord refuses > are counted by all processes together, until ten minutes are over: 403",
          ],
        },
      },
      {
        broken: "a shared limit counts as a refused call",
        file: "src/discord/count-refusals.ts",
        from: 'if (status === 429) return headers.get("x-ratelimit-scope") !== "shared";',
        to: "if (status === 429) return true;",
        tests: {
          [refusals]: [
            "calls that Discord refuses > are 429 too, but not where the limit is shared with others",
          ],
        },
      },
      {
        broken: "each process counts alone",
        file: "src/discord/count-refusals.ts",
        from: "      stored = await countRefusedCalls(context);\n",
        to: "",
        tests: {
          [refusals]: [
            "calls that Discord refuses > slow down what happens in the background long before Discord bans the address, and stop it",
          ],
        },
      },
      {
        broken: "nothing stops before the ban",
        file: "src/discord/count-refusals.ts",
        from: "      if (calls >= refusedCallLimits.stopped) return stoppedPause;\n",
        to: "",
        tests: {
          [refusals]: [
            "calls that Discord refuses > slow down what happens in the background long before Discord bans the address, and stop it",
          ],
        },
      },
    ],
  },
  {
    id: "D7",
    holds:
      "Commands are compared with Discord's at the start and while the bot runs. People who cannot use a command do not see it.",
    faults: [
      {
        broken: "the visibility of commands is not compared",
        file: "src/discord/deploy-commands.ts",
        from: "const defaultMemberPermissions = present.defaultMemberPermissions?.bitfield;",
        to: "const { defaultMemberPermissions } = wanted;",
        tests: { [deploy]: ["commands that somebody else deleted or changed come back at the next start"] },
      },
      {
        broken: "commands are sent at every start",
        file: "src/discord/deploy-commands.ts",
        from: "  if (same) return false;\n",
        to: "",
        tests: { [deploy]: ["deploys the commands once, and again only when they changed"] },
      },
      {
        broken: "one missing command is not noticed if the others exist",
        file: "src/discord/deploy-commands.ts",
        from: "if (present === undefined) return false;",
        to: "if (present === undefined) return true;",
        tests: { [deploy]: ["commands that somebody else deleted or changed come back at the next start"] },
      },
      {
        broken: "commands that vanish while the bot runs are not restored",
        file: "src/discord/connect.ts",
        from: "const stopComparing = watchCommands(log, client, deployed, settings.compareEvery);",
        to: "const stopComparing = () => {};",
        tests: {
          [deploy]: ["commands that vanish while the bot runs are back soon, with a word in the log"],
        },
      },
      {
        broken: "every command is offered to everybody",
        file: "src/discord/deploy-commands.ts",
        from: "defaultMemberPermissions: offeringPermission(needs) ?? null,",
        to: "defaultMemberPermissions: null,",
        tests: {
          [deploy]: ["Discord offers ordinary members what they can use, and the server decides otherwise"],
        },
      },
    ],
  },
  {
    id: "D8",
    holds:
      "A result that comes after Discord's time limit becomes a message in the room, which only the person who asked can open.",
    faults: [
      {
        broken: "a late answer is lost, by the clock",
        file: "src/discord/answer-interaction.ts",
        from: "time.isOver() ? late : put, place",
        to: "time.isOver() ? async () => {} : put, place",
        tests: {
          [late]: [
            "what ends after the answer's time is announced in the room, and shown to whoever asked alone: known by the clock",
            "what fails after the answer's time is told in the same way",
          ],
        },
      },
      {
        broken: "a late answer is lost, by Discord's refusal",
        file: "src/discord/answer-interaction.ts",
        from: "if (late && isTooLate(error)) return late();",
        to: "",
        tests: {
          [late]: [
            "what ends after the answer's time is announced in the room, and shown to whoever asked alone: known by Discord's refusal alone",
          ],
        },
      },
      {
        broken: "anybody can open it",
        file: "src/discord/prompts.ts",
        from: "prompt.user_id !== actor.userId || prompt.guild_id",
        to: "prompt.guild_id",
        tests: {
          [late]: [
            "what ends after the answer's time is announced in the room, and shown to whoever asked alone: known by the clock",
          ],
        },
      },
      {
        broken: "the user is not told that the result will be posted in the room",
        file: "src/discord/late-answer.ts",
        from: '() => void show(textView("plain", texts.stillWorking)),',
        to: "() => void texts.stillWorking,",
        tests: { [late]: ["before the answer's time is over, it says that the rest is posted in the room"] },
      },
    ],
  },
  {
    id: "D9",
    holds: "Permissions of @everyone apply to each member, although Discord omits that role.",
    faults: [
      {
        broken: "only the roles that Discord lists are used",
        file: "src/moderation/channel-links.ts",
        from: "const roles = [...actor.roleIds, actor.guildId];",
        to: "const roles = [...actor.roleIds];",
        tests: {
          "test/commands/channel-settings.test.ts": [
            "/setup permissions > lets a role with link pass on what it has itself, and no more",
          ],
        },
      },
    ],
  },
  {
    id: "D10",
    holds:
      "The pages of terms and privacy list stored data, storage times and erasure; the numbers are the program's.",
    faults: [
      {
        broken: "texts are stored twice as long as the page says",
        file: "src/config.ts",
        from: "HISTORY_DAYS: integer(1, 999).default(30),",
        to: "HISTORY_DAYS: integer(1, 999).default(60),",
        tests: {
          "test/retention/privacy-page.test.ts": [
            "The privacy page says how long with the program's own number: history",
          ],
        },
      },
      {
        broken: "an author who requests erasure stays in replies that wait for their parent",
        file: "src/retention/erase-author.ts",
        from: "sql`(cast_json::jsonb ->> 'fid')::bigint = ${erasure.fid}`,",
        to: "sql`false`,",
        tests: {
          "test/retention/erase-author.test.ts": [
            "erasing an author > takes replies that wait for their parent, and what commands still ask",
          ],
        },
      },
      {
        broken: "codes that proved people's identity are stored permanently",
        file: "src/retention/prune-obsolete.ts",
        from: '    ["link_codes", sql`expires_at_ms < ${now - 86_400_000}`],\n',
        to: "",
        tests: {
          "test/retention/prune-obsolete.test.ts": [
            "Codes go a day after their time, with the casts of them; proofs go a day after they came where no link followed",
          ],
        },
      },
    ],
  },
];

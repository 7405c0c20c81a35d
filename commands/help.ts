import { answer, type Command, type Handler } from "../src/discord/command.ts";
import { colors } from "../src/text/colors.ts";
import { fitLinesOrCount } from "../src/text/message-text.ts";

const limits = [
  "- Bans, restrictions, invites and members are read every ten seconds: what came and went between two reads is not seen.",
  "- Records of hidden casts carry no name: what others did shows as done outside Castellan.",
  "- A ban hides a user's replies; their own casts need `hide_casts` or `/hide`.",
  "- Lifting a ban leaves the user restricted, and no announcement can be taken back.",
  "- Discord offers most commands to moderators alone: the server's settings open them to others under Integrations.",
  "- Only a channel's owner changes who moderates it, in their own app.",
];

/** Explains the other commands; made from them, so that it never lags behind. */
export function help(commands: readonly Command[]): Handler {
  return answer({
    description: "What Castellan can do, and what it cannot",
    options: {},
    run: async () => ({
      embeds: [
        {
          title: "Castellan: Farcaster channels, run from here",
          description: fitLinesOrCount(commands.flatMap(describeCommand), 4000),
          color: colors.plain,
          fields: [{ name: "Good to know", value: limits.join("\n") }],
        },
      ],
    }),
  });
}

function describeCommand(command: Command): string[] {
  if ("handler" in command) return [`**/${command.name}** ${command.handler.description}`];
  return Object.entries(command.subcommands).map(
    ([name, { description }]) => `**/${command.name} ${name}** ${description}`,
  );
}

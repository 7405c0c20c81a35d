import { answer, oneOf, role } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeSettings } from "../../src/moderation/authorize.ts";
import {
  capabilities,
  giveCapabilities,
  listCapabilities,
  takeCapabilities,
  type Capability,
} from "../../src/moderation/capabilities.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { colors } from "../../src/text/colors.ts";
import { fitLines, fitLinesOrCount } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

/** Of the roles in the answer; Discord takes 4096 with what stands around them. */
const mostCharacters = 3800;

const choices = ["everything", ...capabilities] as const;

export const settings = answer({
  description: "Who may do what: gives a capability to a role, takes one away, or shows them all",
  options: {
    role: role({ description: "Whose capabilities to change" }),
    give: oneOf(choices, { description: "What holders of the role may do from now on" }),
    take: oneOf(choices, { description: "What they may no longer do" }),
    channel: channelOption,
  },
  async run(context, { role: roleId, give, take, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const changed = [give, take].flatMap((choice) => (choice === undefined ? [] : expand(choice)));
    await authorizeSettings(context, context.actor, channelId, changed);
    const changes = changed.length > 0;
    if (changes && roleId === undefined) throw new AppError("invalid_input", "Choose the role, too.");
    if (!changes && roleId !== undefined) throw new AppError("invalid_input", "Choose what to give or take.");
    if (roleId !== undefined) {
      const grant = { guildId: context.actor.guildId, channelId, roleId };
      await context.database.transaction(async (tx) => {
        if (take) await takeCapabilities(tx, { ...grant, capabilities: expand(take) });
        if (give) await giveCapabilities(tx, { ...grant, capabilities: expand(give) });
        await announceSetupChange(context, tx, {
          guildId: grant.guildId,
          channelId,
          kind: "capabilities",
          userId: context.actor.userId,
          what: describeChange(grant, give, take),
        });
      });
    }
    return showSettings(context, channelId, roleId);
  },
});

function describeChange(
  { guildId, channelId, roleId }: { guildId: string; channelId: string; roleId: string },
  give: string | undefined,
  take: string | undefined,
): string {
  const said = [...(take ? [`took ${take} from`] : []), ...(give ? [`gave ${give} to`] : [])];
  return `${said.join(" and ")} ${roleId === guildId ? "everyone" : `<@&${roleId}>`} in /${channelId}`;
}

function expand(choice: (typeof choices)[number]): readonly Capability[] {
  return choice === "everything" ? capabilities : [choice];
}

/** All roles with their capabilities, the one that was just changed first; what is too long for a message is a file too. */
async function showSettings(
  context: CommandContext,
  channelId: string,
  changed: string | undefined,
): Promise<View> {
  const { guildId } = context.actor;
  const grants = await listCapabilities(context, guildId, channelId);
  const roles = [...new Set(grants.map(({ roleId }) => roleId))];
  const first = roles.filter((roleId) => roleId === changed);
  const lines = [...first, ...roles.filter((roleId) => roleId !== changed)].map((roleId) => {
    const own = grants.filter((grant) => grant.roleId === roleId).map(({ capability }) => capability);
    const name = roleId === guildId ? "@everyone" : `<@&${roleId}>`;
    return `${name}: ${own.length === capabilities.length ? "everything" : own.toSorted().join(", ")}`;
  });
  const { fitted } = fitLines(lines, mostCharacters);
  const description = [
    fitLinesOrCount(lines, mostCharacters) || "No role has been given anything yet.",
    ...(fitted < lines.length ? ["The file lists all of them."] : []),
    "",
    'Whoever verifiably owns or moderates the channel may do everything. A role with "link" passes on what it has itself; Manage Server may end the link.',
    "Discord offers /channel to people with Manage Server, and the other commands to those with Timeout Members: open them to more roles in the server's settings under Integrations.",
  ];
  return {
    embeds: [
      { title: `Who may do what in /${channelId}`, description: description.join("\n"), color: colors.plain },
    ],
    ...(fitted < lines.length && { files: [{ name: `roles-${channelId}.txt`, text: lines.join("\n") }] }),
  };
}

import { z } from "zod";
import { confirm, oneOf, role } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeSettings } from "../../src/moderation/authorize.ts";
import {
  capabilities,
  meanings,
  giveCapabilities,
  listCapabilities,
  takeCapabilities,
  type Capability,
} from "../../src/moderation/capabilities.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { fitLines, fitLinesOrCount } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

/** Characters of roles in the answer; Discord allows 4096 with the text around them. */
const maxCharacters = 2600;

const choices = ["everything", ...capabilities] as const;

const Change = z.object({
  channelId: z.string(),
  roleId: z.string(),
  give: z.enum(choices).optional(),
  take: z.enum(choices).optional(),
});
type Change = z.infer<typeof Change>;

export const permissions = confirm({
  description: "What roles may do: gives or takes a permission, or shows all",
  needs: "link",
  options: {
    role: role({ description: "Whose permissions to change" }),
    give: oneOf(choices, { description: "What holders of the role may do from now on" }),
    take: oneOf(choices, { description: "What they may no longer do" }),
    channel: channelOption,
  },
  confirmLabel: "Give it",
  state: Change,
  async preview(context, { role: roleId, give, take, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorizeChange(context, channelId, give, take);
    const changes = give !== undefined || take !== undefined;
    if (roleId === undefined) {
      if (changes) throw new AppError("invalid_input", "Choose a role too.");
      return { view: await showSettings(context, channelId, undefined) };
    }
    if (!changes) throw new AppError("invalid_input", "Choose a permission to give or take.");
    const change = { channelId, roleId, give, take };
    const { gains, loses } = await compare(context, change);
    // A removed capability can be given again at once, and its absence harms nobody, so this is not confirmed.
    if (gains.length === 0) return { view: await changeSettings(context, change) };
    return { view: previewGrant(context, change, gains, loses), state: change };
  },
  async act(context, change) {
    await authorizeChange(context, change.channelId, change.give, change.take);
    return changeSettings(context, change);
  },
});

type Choice = (typeof choices)[number];

function expand(choice: Choice | undefined): readonly Capability[] {
  if (choice === undefined) return [];
  return choice === "everything" ? capabilities : [choice];
}

function authorizeChange(
  context: CommandContext,
  channelId: string,
  give: Choice | undefined,
  take: Choice | undefined,
): Promise<void> {
  return authorizeSettings(context, context.actor, channelId, [...expand(give), ...expand(take)]);
}

/** The capabilities that the role would gain and lose. One that is both given and taken is given. */
async function compare(
  context: CommandContext,
  { channelId, roleId, give, take }: Change,
): Promise<{ gains: Capability[]; loses: Capability[] }> {
  const grants = await listCapabilities(context, context.actor.guildId, channelId);
  const has = (one: Capability) =>
    grants.some((grant) => grant.roleId === roleId && grant.capability === one);
  const given = expand(give);
  return {
    gains: given.filter((one) => !has(one)),
    loses: expand(take).filter((one) => has(one) && !given.includes(one)),
  };
}

function previewGrant(
  context: CommandContext,
  { channelId, roleId }: Change,
  gains: readonly Capability[],
  loses: readonly Capability[],
): View {
  const isEverybody = roleId === context.actor.guildId;
  const name = nameRole(context, roleId);
  const lines = [
    `${isEverybody ? "**Everybody in this server**" : `Everybody with ${name}`} will be able to:`,
    ...gains.map((one) => `- **${one}**: ${meanings[one]}`),
    ...(loses.length === 0 ? [] : ["", `${name} loses: ${loses.join(", ")}.`]),
    ...(isEverybody && gains.some((one) => one !== "view")
      ? ["", "**Anyone who joins this server gets this at once**, without anyone's approval."]
      : []),
  ];
  return textView("warning", lines, { title: `Change permissions in /${channelId}?` });
}

/** Changes it and reports only its own changes, not what somebody else did in the meantime. */
async function changeSettings(context: CommandContext, change: Change): Promise<View> {
  const { channelId, roleId, give, take } = change;
  const { gains, loses } = await compare(context, change);
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
  const name = nameRole(context, roleId);
  const changes = [
    ...(gains.length === 0 ? [] : [`${name} may now: ${gains.join(", ")}.`]),
    ...(loses.length === 0 ? [] : [`${name} may no longer: ${loses.join(", ")}.`]),
  ];
  const said = changes.length === 0 ? [`Nothing changed: ${name} already has exactly that.`] : changes;
  return showSettings(context, channelId, roleId, said);
}

function describeChange(
  { guildId, channelId, roleId }: { guildId: string; channelId: string; roleId: string },
  give: string | undefined,
  take: string | undefined,
): string {
  const said = [...(take ? [`took ${take} from`] : []), ...(give ? [`gave ${give} to`] : [])];
  return `${said.join(" and ")} ${roleId === guildId ? "everyone" : `<@&${roleId}>`} in /${channelId}`;
}

function nameRole({ actor }: CommandContext, roleId: string): string {
  return roleId === actor.guildId ? "@everyone" : `<@&${roleId}>`;
}

/** All roles with their capabilities, the changed one first; a list too long for a message is also attached as a file. */
async function showSettings(
  context: CommandContext,
  channelId: string,
  changed: string | undefined,
  said: readonly string[] = [],
): Promise<View> {
  const { guildId } = context.actor;
  const grants = await listCapabilities(context, guildId, channelId);
  const roles = [...new Set(grants.map(({ roleId }) => roleId))];
  const first = roles.filter((roleId) => roleId === changed);
  const lines = [...first, ...roles.filter((roleId) => roleId !== changed)].map((roleId) => {
    const own = grants.filter((grant) => grant.roleId === roleId).map(({ capability }) => capability);
    return `${nameRole(context, roleId)}: ${own.length === capabilities.length ? "everything" : own.toSorted().join(", ")}`;
  });
  const { fitted } = fitLines(lines, maxCharacters);
  const description = [
    ...said.map((line) => `**${line}**`),
    ...(said.length > 0 ? [""] : []),
    fitLinesOrCount(lines, maxCharacters) || "No role has any permissions yet.",
    ...(fitted < lines.length ? ["The file lists all of them."] : []),
    "",
    ...capabilities.map((one) => `- ${one}: ${meanings[one]}`),
    "",
    'Whoever verifiably owns or moderates the channel may do everything. A role with "link" passes on what it has itself; Manage Server may end the link.',
    "Discord shows /setup to people with Manage Server, most other commands to those with Timeout Members, and /help, /report and /appeal to everyone. To show them to more roles, open the server's settings, then Integrations.",
  ];
  return {
    ...textView("plain", description, { title: `Who may do what in /${channelId}` }),
    ...(fitted < lines.length && { files: [{ name: `roles-${channelId}.txt`, text: lines.join("\n") }] }),
  };
}

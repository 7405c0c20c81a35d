import { ApplicationCommandType, ApplicationIntegrationType } from "discord-api-types/v10";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { DiscordError, missingAccess, unknown } from "../discord-error.ts";
import { CommandBody, commandIssues, commandListIssues } from "../shapes/command.ts";
import { parseForm } from "../shapes/parse-form.ts";
import { botIsIn } from "../world/permissions.ts";
import { type Command, type CommandScope, globalScope } from "../world/world.ts";

interface InScope {
  Params: { application: string; guild?: string };
}
interface OfCommand {
  Params: InScope["Params"] & { command: string };
}

/** Application commands of all guilds and of one. */
export function addCommandRoutes(api: FastifyInstance, context: Context): void {
  for (const scope of ["", "/guilds/:guild"]) {
    addRoutesBelow(api, `/applications/:application${scope}/commands`, context);
  }
}

function addRoutesBelow(api: FastifyInstance, path: string, context: Context): void {
  api.get<InScope & { Querystring: { with_localizations?: string } }>(path, async ({ params, query }) => {
    const { scope, present } = findScope(context, params);
    const commands = present.map((command) => commandPayload(context, scope, command));
    return query.with_localizations === "true" ? commands : withoutLocalizations(commands);
  });
  api.put<InScope>(path, async ({ params, body }) => {
    const { scope, present } = findScope(context, params);
    const bodies = parseForm(CommandBody.array(), body, commandListIssues);
    if (present.some(isEntryPoint) && !bodies.some(isEntryPoint)) {
      const message = "You cannot remove this app's Entry Point command in a bulk update operation.";
      throw new DiscordError(400, 50240, message);
    }
    const commands = bodies.map((one) => toStoredCommand(context, present, one));
    saveCommands(context, scope, commands);
    return commands.map((command) => commandPayload(context, scope, command));
  });
  api.post<InScope>(path, async ({ params, body }, reply) => {
    const { scope, present } = findScope(context, params);
    const command = toStoredCommand(context, present, readCommand(body));
    const others = present.filter(({ id }) => id !== command.id);
    saveCommands(context, scope, [...others, command]);
    reply.code(others.length === present.length ? 201 : 200);
    return commandPayload(context, scope, command);
  });
  api.get<OfCommand>(`${path}/:command`, async ({ params }) => {
    const { scope, present } = findScope(context, params);
    return commandPayload(context, scope, findCommand(present, params.command));
  });
  api.patch<OfCommand>(`${path}/:command`, async ({ params, body }) => {
    const { scope, present } = findScope(context, params);
    const { id, version: _, ...known } = findCommand(present, params.command);
    const command = { ...readCommand({ ...known, ...Object(body) }), id, version: context.nextId() };
    const commands = present.map((other) => (other.id === id ? command : other));
    saveCommands(context, scope, commands);
    return commandPayload(context, scope, command);
  });
}

function isEntryPoint({ type }: CommandBody): boolean {
  return type === ApplicationCommandType.PrimaryEntryPoint;
}

function findScope(
  { world }: Context,
  { application, guild = globalScope }: InScope["Params"],
): { scope: CommandScope; present: Command[] } {
  if (application !== world.applicationId) {
    throw new DiscordError(403, 20012, "You are not authorized to perform this action on this application");
  }
  if (guild !== globalScope && !botIsIn(world, guild)) throw missingAccess();
  return { scope: guild, present: world.commands.get(guild) ?? [] };
}

function findCommand(present: readonly Command[], id: string): Command {
  const command = present.find((candidate) => candidate.id === id);
  if (!command) throw unknown("application command");
  return command;
}

function readCommand(body: unknown): CommandBody {
  return parseForm(CommandBody, body, (command) => commandIssues(command));
}

/** A command keeps its id while its name and type stay. */
function toStoredCommand(context: Context, present: readonly Command[], body: CommandBody): Command {
  const known = present.find((command) => command.name === body.name && command.type === body.type);
  return { ...body, id: known?.id ?? context.nextId(), version: context.nextId() };
}

function saveCommands(context: Context, scope: CommandScope, commands: Command[]): void {
  context.record({ kind: "commands", scope, commands });
  context.happened.emit({ kind: "commands" });
}

function commandPayload({ world }: Context, scope: CommandScope, command: Command) {
  return {
    ...command,
    application_id: world.applicationId,
    description: command.description ?? "",
    default_member_permissions: command.default_member_permissions ?? null,
    nsfw: command.nsfw ?? false,
    integration_types: command.integration_types ?? [ApplicationIntegrationType.GuildInstall],
    contexts: command.contexts ?? null,
    ...(scope === globalScope ? {} : { guild_id: scope }),
  };
}

/** Listings leave out texts in other languages unless these are asked for. */
function withoutLocalizations(commands: unknown): unknown {
  return JSON.parse(JSON.stringify(commands), (key, value: unknown) =>
    key === "name_localizations" || key === "description_localizations" ? undefined : value,
  );
}

import type { Context } from "../../context.ts";
import { DiscordError, missingAccess, unknown } from "../../discord-error.ts";
import { CommandBodies, CommandBody } from "../../shapes/command.ts";
import { commandIssues, commandListIssues } from "../../shapes/command-rules.ts";
import { parseForm } from "../../shapes/parse-form.ts";
import { botIsIn } from "../../world/permissions.ts";
import { type Command, type CommandScope, globalScope } from "../../world/world.ts";
import { type Answer, noContent, ok, type RestRequest } from "../exchange.ts";
import { type Route, route } from "../route.ts";

function commandPayload({ world }: Context, scope: CommandScope, command: Command) {
  return {
    ...command,
    application_id: world.applicationId,
    description: command.description ?? "",
    default_member_permissions: command.default_member_permissions ?? null,
    nsfw: command.nsfw ?? false,
    integration_types: command.integration_types ?? [0],
    contexts: command.contexts ?? null,
    ...(scope === globalScope ? {} : { guild_id: scope }),
  };
}

/** A command keeps its id while its name and type stay. */
function settleCommand(context: Context, present: readonly Command[], body: CommandBody): Command {
  const known = present.find((command) => command.name === body.name && command.type === body.type);
  return { ...body, id: known?.id ?? context.nextId(), version: context.nextId() };
}

function keepCommands(context: Context, scope: CommandScope, commands: Command[]): void {
  context.record({ kind: "commands", scope, commands });
  context.happened.tell({ kind: "commands" });
}

interface Target {
  scope: CommandScope;
  present: Command[];
}

type Place = Record<string, string> & { application: string };

function findTarget({ world }: Context, { parameters }: RestRequest<Place>): Target {
  if (parameters.application !== world.applicationId) {
    throw new DiscordError(403, 20012, "You are not authorized to perform this action on this application");
  }
  const scope = parameters["guild"] ?? globalScope;
  if (scope !== globalScope && !botIsIn(world, scope)) throw missingAccess();
  return { scope, present: world.commands.get(scope) ?? [] };
}

function overwriteCommands(context: Context, request: RestRequest<Place>): Answer {
  const { scope, present } = findTarget(context, request);
  const bodies = parseForm(CommandBodies, request.body, commandListIssues);
  const commands = bodies.map((body) => settleCommand(context, present, body));
  keepCommands(context, scope, commands);
  return ok(commands.map((command) => commandPayload(context, scope, command)));
}

function createCommand(context: Context, request: RestRequest<Place>): Answer {
  const { scope, present } = findTarget(context, request);
  const command = settleCommand(
    context,
    present,
    parseForm(CommandBody, request.body, (body) => commandIssues(body)),
  );
  const others = present.filter(({ id }) => id !== command.id);
  keepCommands(context, scope, [...others, command]);
  return {
    status: others.length === present.length ? 201 : 200,
    body: commandPayload(context, scope, command),
  };
}

function findCommand(present: readonly Command[], id: string | undefined): Command {
  const command = present.find((candidate) => candidate.id === id);
  if (!command) throw unknown("application command");
  return command;
}

function commandRoutesBelow(
  base: "/applications/:application" | "/applications/:application/guilds/:guild",
): Route[] {
  const list = `${base}/commands` as const;
  const one = `${base}/commands/:command` as const;
  return [
    route("GET", list, (context, request) => {
      const { scope, present } = findTarget(context, request);
      return ok(present.map((command) => commandPayload(context, scope, command)));
    }),
    route("PUT", list, overwriteCommands),
    route("POST", list, createCommand),
    route("GET", one, (context, request) => {
      const { scope, present } = findTarget(context, request);
      return ok(commandPayload(context, scope, findCommand(present, request.parameters.command)));
    }),
    route("PATCH", one, (context, request) => {
      const { scope, present } = findTarget(context, request);
      const { id, version: _, ...known } = findCommand(present, request.parameters.command);
      const merged = { ...known, ...Object(request.body) };
      const body = parseForm(CommandBody, merged, (command) => commandIssues(command));
      const command = { ...body, id, version: context.nextId() };
      keepCommands(
        context,
        scope,
        present.map((other) => (other.id === id ? command : other)),
      );
      return ok(commandPayload(context, scope, command));
    }),
    route("DELETE", one, (context, request) => {
      const { scope, present } = findTarget(context, request);
      const { id } = findCommand(present, request.parameters.command);
      keepCommands(
        context,
        scope,
        present.filter((other) => other.id !== id),
      );
      return noContent;
    }),
  ];
}

/** Application commands of one guild and of all. */
export const commandRoutes = [
  ...commandRoutesBelow("/applications/:application"),
  ...commandRoutesBelow("/applications/:application/guilds/:guild"),
];

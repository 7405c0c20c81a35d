// @ts-nocheck
import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  type ApplicationCommandData,
  type ApplicationCommandOptionData,
  type ApplicationCommandSubCommandData,
} from "discord.js";
import type { Command } from "./command.ts";
import type { Option, Options } from "./option.ts";

/** A command as Discord is told of it. */
export function toCommandData(command: Command): ApplicationCommandData {
  const { name, description } = command;
  return {
    name,
    description,
    contexts: [InteractionContextType.Guild],
    integrationTypes: [ApplicationIntegrationType.GuildInstall],
    options:
      "handler" in command
        ? toOptions(command.handler.options)
        : Object.entries(command.subcommands).map(([name, handler]): ApplicationCommandSubCommandData => ({
            type: ApplicationCommandOptionType.Subcommand,
            name,
            description: handler.description,
            options: toOptions(handler.options),
          })),
  };
}

type BasicOption = Exclude<NonNullable<ApplicationCommandSubCommandData["options"]>, readonly []>[number];

/** Discord wants the required ones first. */
function toOptions(options: Options): BasicOption[] {
  const entries = Object.entries(options);
  const ordered = [...entries.filter(([, o]) => o.required), ...entries.filter(([, o]) => !o.required)];
  return ordered.map(([name, option]) => toOption(name, option));
}

function toOption(name: string, option: Option<unknown>): BasicOption {
  const { type, description, required, choices, minValue, maxValue, maxLength, channelTypes, suggest } =
    option;
  const data: ApplicationCommandOptionData | object = {
    type,
    name,
    description,
    required,
    ...(choices && { choices }),
    ...(minValue !== undefined && { minValue }),
    ...(maxValue !== undefined && { maxValue }),
    ...(maxLength !== undefined && { maxLength }),
    ...(channelTypes && { channelTypes }),
    ...(suggest && { autocomplete: true }),
  };
  // Which fields go with which type is settled by the functions of option.ts, where the compiler cannot see it.
  return data as BasicOption;
}

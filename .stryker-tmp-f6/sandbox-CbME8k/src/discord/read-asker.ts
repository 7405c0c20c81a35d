// @ts-nocheck
import { PermissionFlagsBits, type BaseInteraction } from "discord.js";
import type { Asker } from "../bot-context.ts";
import { AppError } from "../errors.ts";

/** Who stands behind an interaction, from what Discord signed into it and nothing that we cached. */
export function readAsker(interaction: BaseInteraction): Asker {
  const { guildId, channelId, member } = interaction;
  if (!guildId || !channelId || !member) {
    throw new AppError("invalid_input", "Castellan works in a server, not in private messages.");
  }
  return {
    userId: interaction.user.id,
    guildId,
    roomId: channelId,
    roleIds: Array.isArray(member.roles) ? member.roles : [...member.roles.cache.keys()],
    managesServer: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  };
}

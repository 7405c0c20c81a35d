// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { listInvites } from "./list.ts";
import { inviteMember } from "./member.ts";
import { inviteModerator } from "./moderator.ts";
import { revokeInvite } from "./revoke.ts";

export const invite: Command = {
  name: "invite",
  description: "Invites to the channel and roles in it",
  subcommands: { member: inviteMember, moderator: inviteModerator, revoke: revokeInvite, list: listInvites },
};

// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { addBan } from "./add.ts";
import { listBans } from "./list.ts";
import { removeBan } from "./remove.ts";

export const ban: Command = {
  name: "ban",
  description: "Bans of the channel",
  subcommands: { add: addBan, remove: removeBan, list: listBans },
};

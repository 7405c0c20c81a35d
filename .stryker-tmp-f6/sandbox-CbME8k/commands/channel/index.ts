// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { channelInfo } from "./info.ts";
import { link } from "./link.ts";
import { settings } from "./settings.ts";
import { unlink } from "./unlink.ts";

export const channel: Command = {
  name: "channel",
  description: "Channels of this server",
  subcommands: { info: channelInfo, link, unlink, settings },
};

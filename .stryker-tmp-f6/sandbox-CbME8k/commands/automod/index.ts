// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { pause } from "./pause.ts";
import { resume } from "./resume.ts";

export const automod: Command = {
  name: "automod",
  description: "Stop the rules of a channel, or let them act again",
  subcommands: { pause, resume },
};

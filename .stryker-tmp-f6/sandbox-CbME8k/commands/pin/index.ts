// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { clearPin } from "./clear.ts";
import { setPin } from "./set.ts";

export const pin: Command = {
  name: "pin",
  description: "The cast that is pinned in the channel",
  subcommands: { set: setPin, clear: clearPin },
};

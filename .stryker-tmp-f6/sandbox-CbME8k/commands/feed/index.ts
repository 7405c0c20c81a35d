// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { addFeed } from "./add.ts";
import { listOfFeeds } from "./list.ts";
import { removeFeed } from "./remove.ts";

export const feed: Command = {
  name: "feed",
  description: "What rooms hear of the channels",
  subcommands: { add: addFeed, remove: removeFeed, list: listOfFeeds },
};

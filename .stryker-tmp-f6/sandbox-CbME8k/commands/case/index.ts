// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { listCases } from "./list.ts";
import { viewCase } from "./view.ts";

export const caseCommand: Command = {
  name: "case",
  description: "The numbered record of what was done",
  subcommands: { view: viewCase, list: listCases },
};

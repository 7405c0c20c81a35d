// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { editRules } from "./edit.ts";
import { explainRules } from "./explain.ts";
import { ruleHistory } from "./history.ts";
import { importRules } from "./import.ts";
import { listRules } from "./list.ts";
import { changeRuleMode } from "./mode.ts";
import { rollbackRules } from "./rollback.ts";
import { showRule } from "./show.ts";
import { starterSet } from "./starter.ts";
import { testRules } from "./test.ts";

export const rule: Command = {
  name: "rule",
  description: "Rules that act when nobody is awake",
  subcommands: {
    list: listRules,
    show: showRule,
    import: importRules,
    mode: changeRuleMode,
    test: testRules,
    explain: explainRules,
    edit: editRules,
    history: ruleHistory,
    rollback: rollbackRules,
    starter: starterSet,
  },
};

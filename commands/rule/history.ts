import type { ListPage } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { listVersions } from "../../src/rules/versions/rules-of-server.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { describeSaver } from "./describe-rule.ts";
import { requireRules } from "./rule-arguments.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 15;

/** All versions of the server's rules, newest first. */
export async function listHistory(context: CommandContext, cursor: string | undefined): Promise<ListPage> {
  const { version: inForce } = await requireRules(context);
  const { guildId } = context.actor;
  const before = cursor === undefined ? undefined : Number(cursor);
  const found = await listVersions(context.database.query, guildId, pageSize + 1, before);
  const shown = found.slice(0, pageSize);
  const lines = shown.map(({ version, change, saved_by, saved_at_ms }) => {
    const now = version === inForce ? " · in force" : "";
    return `**${version}** ${inlineCode(change, 80)} by ${describeSaver(saved_by)} ${describeTime(saved_at_ms / 1000)}${now}`;
  });
  const footer = "/rule show version has a version's file, /rule rollback restores it.";
  const last = shown.at(-1)?.version;
  return {
    view: textView("plain", lines, { title: "Versions", footer }),
    ...(found.length > pageSize && last !== undefined && { next: String(last) }),
  };
}

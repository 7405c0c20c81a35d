import type { CommandContext } from "../../src/discord/command-context.ts";
import type { FoundCast } from "../../src/moderation/find-cast.ts";
import { findName } from "../../src/moderation/find-user.ts";
import { describeUser } from "../../src/observe/people.ts";
import { codeBlock, inlineCode } from "../../src/text/escape.ts";

/** A Discord timestamp that each reader sees in their own time. */
export function describeTime(seconds: number, style: "R" | "f" = "R"): string {
  return `<t:${Math.floor(seconds)}:${style}>`;
}

export async function describeCast(context: CommandContext, { hash, known }: FoundCast): Promise<string> {
  if (!known) return `${inlineCode(hash)}\nCastellan has never seen this cast, so it cannot show it.`;
  const author = describeUser({ fid: known.fid, name: await findName(context, known.fid) });
  const kind = known.parentHash === null ? "cast" : "reply";
  const hidden = known.hidden ? " · hidden now" : "";
  return `${author} · ${kind} ${describeTime(known.castAt)}${hidden}\n${codeBlock(known.text)}`;
}

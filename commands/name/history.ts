import { answer } from "../../src/discord/command.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { readUser } from "../../src/moderation/find-target.ts";
import { readNameChanges, type NameChange } from "../../src/moderation/person-on-network.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { describeTime, fitLinesOrCount, inlineCode } from "../../src/text/message-text.ts";
import { nameOption } from "./lookup.ts";
import { textView } from "../../src/discord/view.ts";

export const nameHistory = answer({
  description: "Past owners of a name, or past names of a fid, from the registry",
  needs: "view",
  options: {
    name: nameOption,
  },
  async run(context, { name: typed }) {
    await authorizeIn(context, context.actor, "view");
    const asked = readUser(context, typed, "name");
    const changes = await readNameChanges(context, asked);
    const names = await readNames(
      context.database.query,
      changes.flatMap(({ from, to }) => [from, to]),
    );
    const lines = changes.toReversed().map((change) => describeChange(change, names));
    const of = "fid" in asked ? `fid ${asked.fid}` : inlineCode(`@${asked.name}`, 64);
    const description = [
      `Transfers of ${of}, newest first. Names outside the registry (such as .eth) are not included.`,
      "",
      lines.length === 0 ? "The registry has none." : fitLinesOrCount(lines, maxListText),
    ].join("\n");
    return textView("plain", description, { title: "History of names" });
  },
});

function describeChange({ name, from, to, at }: NameChange, names: ReadonlyMap<number, string>): string {
  const user = (fid: number) => describeUser({ fid, name: names.get(fid) });
  const shown = inlineCode(`@${name}`, 64);
  const when = describeTime(at, "f");
  if (from === 0) return `${when} · ${shown} registered by ${user(to)}`;
  if (to === 0) return `${when} · ${shown} given up by ${user(from)}`;
  return `${when} · ${shown} from ${user(from)} to ${user(to)}`;
}

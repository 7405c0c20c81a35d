import { answer, text } from "../../src/discord/command.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { findUser, findName } from "../../src/moderation/find-target.ts";
import { describeUser, listHeldNames } from "../../src/observe/people.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { suggestUsersFor } from "../shared/suggestions.ts";
import { textView } from "../../src/discord/view.ts";

/** A name, or a person for their names. Digits alone are a name here; a fid is written with the word. */
export const nameOption = text({
  description: "A name such as alice or 12, a fid such as fid 12, or a profile link",
  required: true,
  maxLength: 200,
  suggest: suggestUsersFor("case", (fid) => `fid ${fid}`),
});

export const lookUpName = answer({
  description: "The owner of a name, or the names of a fid",
  needs: "view",
  options: {
    name: nameOption,
  },
  async run(context, { name: typed }) {
    await authorizeIn(context, context.actor, "view");
    const user = await findUser(context, typed, "name");
    const held = await listHeldNames(context.database.query, user.fid);
    const lines = [
      describeUser({ fid: user.fid, name: user.name ?? (await findName(context, user.fid)) }),
      ...(held.length === 0 ? ["The hub's proofs show no name of theirs."] : []),
      ...held.map(({ name, since }) => `${inlineCode(`@${name}`, 64)} since ${describeTime(since, "f")}`),
      "",
      "</name history> shows earlier owners.",
    ];
    return textView("plain", lines, { title: "Names" });
  },
});

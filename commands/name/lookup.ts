import { answer, text } from "../../src/discord/command.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { findUser, findName } from "../../src/moderation/find-target.ts";
import { describeUser, listHeldNames } from "../../src/observe/people.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { suggestUsersFor } from "../shared/suggestions.ts";
import { textView } from "../../src/discord/view.ts";

/** A name, or whose names: digits alone are a name here, and a fid is written with the word. */
export const nameOption = text({
  description: "A name such as alice or 12, a fid as fid 12, or a profile link",
  required: true,
  maxLength: 200,
  suggest: suggestUsersFor("case", (fid) => `fid ${fid}`),
});

export const lookUpName = answer({
  description: "Who holds a name, or which names a fid holds",
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
      ...(held.length === 0 ? ["No name of theirs was seen in the hub's proofs."] : []),
      ...held.map(({ name, since }) => `${inlineCode(`@${name}`, 64)} since ${describeTime(since, "f")}`),
      "",
      "</name history> shows whom names belonged to before.",
    ];
    return textView("plain", lines, { title: "Names" });
  },
});

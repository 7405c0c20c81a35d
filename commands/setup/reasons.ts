import { answer, text } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import {
  listSavedReasons,
  maxSavedReason,
  removeSavedReason,
  saveReason,
} from "../../src/moderation/saved-reasons.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";
import { formatExactDuration } from "../../src/text/duration.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { banLengthOption, usualDurations } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";
import { suggestReasons } from "../shared/suggestions.ts";

export const savedReasons = answer({
  description: "Saved reasons of this server: lists them, saves one with its usual length, or removes one",
  needs: "link",
  console: true,
  options: {
    add: text({ description: "A reason to save", maxLength: maxSavedReason }),
    duration: banLengthOption(
      "How long a ban for it usually lasts, such as 7d; asked each time if left out",
      usualDurations,
    ),
    remove: text({
      description: "A saved reason to remove",
      maxLength: maxSavedReason,
      suggest: suggestReasons,
    }),
  },
  async run(context, { add, duration, remove }) {
    const { database, actor } = context;
    await authorizeIn(context, actor, "link");
    if (duration !== undefined && add === undefined) {
      throw new AppError(
        "invalid_input",
        "A duration belongs to a reason that is saved, so fill in `add` too.",
      );
    }
    if (duration === null) {
      throw new AppError(
        "invalid_input",
        "A saved reason cannot make a ban permanent. Leave out `duration`: each ban then asks for its length, and Permanent is one of the answers.",
      );
    }
    const { guildId, userId } = actor;
    const said = await database.transaction(async (tx) => {
      const done: string[] = [];
      // As in an imported configuration, the record does not quote the reason.
      const record = (what: string) =>
        recordSetupChange(context, tx, { guildId, kind: "links", userId, what });
      if (remove !== undefined) {
        const removed = await removeSavedReason(tx, guildId, remove.trim());
        if (!removed) throw new AppError("not_found", "There is no such saved reason.");
        await record("removed a saved reason");
        done.push("Removed. Cases that already have this reason keep it.");
      }
      if (add !== undefined) {
        const reason = add.trim();
        if (reason === "") throw new AppError("invalid_input", "The reason is empty.");
        const isNew = await saveReason(tx, guildId, { reason, forSeconds: duration ?? null });
        await record(`${isNew ? "added" : "changed"} a saved reason`);
        done.push("Saved. It is now suggested for every reason.");
      }
      return done;
    });
    const saved = await listSavedReasons(database.query, guildId);
    const lines = saved.map(
      ({ reason, forSeconds }) =>
        `- ${escapeText(reason)} · ${forSeconds === null ? "length asked each time" : formatExactDuration(forSeconds)}`,
    );
    const description = [
      ...said.map((line) => `**${line}**`),
      ...(lines.length > 0 ? lines : ["No reason is saved yet. Save one with `add`."]),
    ].join("\n");
    return textView("plain", description, { title: "Saved reasons" });
  },
});

import { z } from "zod";
import { confirm, flag } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { AppError } from "../src/errors.ts";
import { maxTargets } from "../src/moderation/bulks/bulk.ts";
import { listThread, readAgain, type CastTarget } from "../src/moderation/bulks/find-casts.ts";
import { findCast, findName, type FoundCast } from "../src/moderation/find-target.ts";
import { amount } from "../src/text/amount.ts";
import { carryOutBulk } from "./shared/bulk.ts";
import { authorizeForCast, castOption, channelOption, reasonOption } from "./shared/options.ts";
import { describeHistory } from "./shared/describe-history.ts";
import { describeCast } from "./shared/preview.ts";
import { runCase } from "./shared/show-case.ts";
import { textView } from "../src/discord/view.ts";
import { suggestCastsFor } from "./shared/suggestions.ts";

export const hide = confirm({
  description: "Hide a cast from the channel",
  needs: "hide",
  console: true,
  options: {
    cast: castOption("Which cast: link or hash", suggestCastsFor({ visible: "hide" })),
    thread: flag("Hide all replies below it, too"),
    reason: reasonOption("Why; shown in the case"),
    channel: channelOption,
  },
  confirmLabel: "Hide",
  state: z.object({
    channelId: z.string(),
    hash: z.string(),
    reason: z.string().optional(),
    /** The casts of the thread that the preview showed; later replies are not touched. */
    thread: z.array(z.string()).optional(),
  }),
  async preview(context, { cast, thread, reason, channel: given }) {
    const { channel } = await authorizeForCast(context, cast, given, "hide");
    const fid = cast.known?.fid;
    const author = fid === undefined ? undefined : { fid, name: await findName(context, fid) };
    const history = author ? ["", await describeHistory(context, channel.id, author)] : [];
    const casts = thread ? await findThread(context, channel.id, cast) : undefined;
    const lines = [
      await describeCast(context, cast),
      ...history,
      "",
      casts
        ? `Hidden in the channel for everyone: ${amount(casts.length, "cast")}, with all visible replies below it that Castellan has seen. </undo> shows them again.`
        : "Hidden in the channel for everyone; </undo> shows it again. The replies to it stay.",
    ];
    return {
      view: textView("warning", lines, { title: `Hide from /${channel.id}?` }),
      state: { channelId: channel.id, hash: cast.hash, reason, thread: casts?.map(({ hash }) => hash) },
    };
  },
  async act(context, { channelId, hash, reason, thread }) {
    const cast = await findCast(context, hash);
    const { by } = await authorizeForCast(context, cast, channelId, "hide");
    if (thread) {
      const casts = await readAgain(context.database.query, { channelId, hidden: false }, thread);
      if (casts.length === 0) throw new AppError("invalid_input", "All of it is already hidden or removed.");
      const subjectFid = cast.known?.fid;
      const actions = casts.map((one) => ({
        kind: "hide" as const,
        targetCast: one.hash,
        evidence: one.body,
      }));
      return carryOutBulk(
        context,
        { channelId, kind: "hide", selection: "the thread of", subjectFid, by, reason },
        actions,
      );
    }
    return runCase(context, {
      channelId,
      kind: "hide",
      targetCast: hash,
      publicReason: reason,
      evidence: cast.known,
      actor: by,
    });
  },
});

/** Throws `invalid_input` if there is nothing to hide, or more than one bulk takes. */
async function findThread(
  { database }: CommandContext,
  channelId: string,
  { hash }: FoundCast,
): Promise<CastTarget[]> {
  const casts = await listThread(database.query, channelId, hash);
  if (casts.length === 0) {
    throw new AppError("invalid_input", "Castellan knows of no visible cast in this thread.");
  }
  if (casts.length <= maxTargets) return casts;
  throw new AppError(
    "invalid_input",
    `The thread has ${casts.length} visible casts; one bulk takes ${maxTargets}.`,
  );
}

import { z } from "zod";
import { confirm, flag, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import { listThread, type CastTarget } from "../../src/moderation/bulks/find-casts.ts";
import { findCast, findName, type FoundCast } from "../../src/moderation/find-target.ts";
import { amount } from "../../src/text/amount.ts";
import { authorizeForCast, channelOption, optionalCast, reasonOption } from "../shared/options.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { describeCast } from "../shared/preview.ts";
import { runCase } from "../shared/show-case.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { suggestBy, suggestCastsFor } from "../shared/suggestions.ts";
import { refuseBoth, refuseUseless } from "../shared/targets.ts";
import { showAgain } from "../undo/cast.ts";
import { changeMany, manyOptions, ManyRequest, previewMany } from "./many.ts";

/** Strict, because a question of an earlier version has a thread in it, which would be left out. */
const OneRequest = z.strictObject({
  channelId: z.string(),
  hash: z.string(),
  reason: z.string().optional(),
});
type OneRequest = z.infer<typeof OneRequest>;

export const hide = confirm({
  description: "Hide a cast; or many: of a user, with a text, since a time, or from a file",
  needs: "hide",
  console: true,
  options: {
    cast: optionalCast(
      "Which cast: link or hash",
      suggestBy("show_again", suggestCastsFor({ hidden: "hide" }), suggestCastsFor({ visible: "hide" })),
    ),
    thread: flag("Hide all replies below it, too"),
    reason: reasonOption("Why; shown in the case"),
    ...manyOptions,
    show_again: flag("Show such hidden casts again instead"),
    channel: channelOption,
  },
  confirmLabel: "Hide",
  state: z.union([ManyRequest, OneRequest]),
  async preview(context, { cast, thread, show_again: shows, ...many }) {
    const { casts, file, user, text, link, since, reason, channel } = many;
    refuseBoth({ cast, casts, file }, { user, text, link, since });
    if (shows || !cast) refuseUseless({ thread }, "is for hiding one `cast`");
    if (!cast) return previewMany(context, shows ? "unhide" : "hide", many);
    if (shows) return { view: await showAgain(context, cast, { reason, channel }) };
    return previewOne(context, cast, { thread, reason, channel });
  },
  act: (context, request) => ("hash" in request ? hideOne(context, request) : changeMany(context, request)),
});

async function previewOne(
  context: CommandContext,
  cast: FoundCast,
  options: { thread: boolean; reason: string | undefined; channel: string | undefined },
): Promise<Preview<OneRequest | ManyRequest>> {
  const { thread, reason } = options;
  const { channel } = await authorizeForCast(context, cast, options.channel, "hide");
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
  const view = textView("warning", lines, { title: `Hide from /${channel.id}?` });
  if (!casts) return { view, state: { channelId: channel.id, hash: cast.hash, reason } };
  const many = { kind: "hide" as const, channelIds: [channel.id], hashes: casts.map(({ hash }) => hash) };
  return { view, state: { ...many, selection: "the thread of", subjectFid: fid, reason } };
}

async function hideOne(context: CommandContext, { channelId, hash, reason }: OneRequest): Promise<View> {
  const cast = await findCast(context, hash);
  const { by } = await authorizeForCast(context, cast, channelId, "hide");
  return runCase(context, {
    channelId,
    kind: "hide",
    targetCast: hash,
    publicReason: reason,
    evidence: cast.known,
    actor: by,
  });
}

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

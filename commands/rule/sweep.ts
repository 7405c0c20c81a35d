import { z } from "zod";
import { seconds } from "../../src/clock.ts";
import { confirm, integer, oneOf } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import { readAgain } from "../../src/moderation/bulks/find-casts.ts";
import { whyNotBanned } from "../../src/moderation/bulks/find-users.ts";
import { rehearse } from "../../src/rules/rehearse/rehearse.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, inlineCode } from "../../src/text/message-text.ts";
import { carryOutBulk, describeSamples } from "../shared/bulk.ts";
import { channelOption, chooseChannel, reasonOption } from "../shared/options.ts";
import { requireReadable, requireRule, ruleOption } from "./rule-arguments.ts";
import { textView } from "../../src/discord/view.ts";

/** Time limit for rehearsing a rule, in milliseconds. */
const timeoutMs = 5 * 60_000;

/** Carries out what a rehearsal found: a rule's past matches, as a person's own bulk. */
export const sweepRule = confirm({
  description: "Apply a rule to the past: hide every cast that matches, or ban the authors",
  needs: { all: ["rules", "hide"] },
  options: {
    rule: { ...ruleOption, required: true },
    action: oneOf(["hide", "ban"], { description: "Hide these casts (default), or ban their authors" }),
    days: integer({ description: "How many days back; 7 if left out", min: 1, max: 365 }),
    reason: reasonOption("Why; shown in the cases"),
    channel: channelOption,
  },
  confirmLabel: "Do it",
  state: z.object({
    channelId: z.string(),
    rule: z.string(),
    hashes: z.array(z.string()),
    fids: z.array(z.int()),
    reason: z.string().optional(),
  }),
  async preview(context, { rule: typed = "", action = "hide", days = 7, reason, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel } = await authorizeAction(context, context.actor, channelId, "rules", action);
    const { id: rule, mode } = requireRule(await requireReadable(context), typed);
    if (mode === "off")
      throw new AppError("invalid_input", `${inlineCode(rule, 40)} is off: /rule mode turns it to shadow.`);
    const { hits, done } = await findHits(context, channelId, rule, days);
    const visible = await readAgain(context.database.query, { channelId, hidden: false }, hits);
    const casts = visible.slice(0, maxTargets);
    const authors = [...new Set(visible.map(({ fid }) => fid))];
    const fids = authors
      .filter((fid) => whyNotBanned(channel, context.botFid, fid) === undefined)
      .slice(0, maxTargets);
    const count = action === "hide" ? casts.length : fids.length;
    const lines = [
      `Rule ${inlineCode(rule, 40)} matches ${amount(hits.length, "cast")} of the last ${amount(days, "day")} in /${channelId}; ${visible.length} of them are still visible, by ${amount(authors.length, "author")}.`,
      ...(done < 1
        ? [
            `⚠️ Only the latest ${Math.floor(done * 100)} % of that time was examined, because there is too much for one run.`,
          ]
        : []),
      ...(action === "hide" && casts.length < visible.length
        ? [`One bulk takes at most ${maxTargets}, so ${visible.length - casts.length} stay.`]
        : []),
      ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
      ...(await describeSamples(context, casts)),
      ...(count === 0
        ? ["Nothing to do."]
        : ["The rule's own limits do not apply, because you are doing this yourself. </undo> undoes it."]),
    ];
    const what =
      action === "hide" ? `Hide these ${amount(count, "cast")}` : `Ban these ${amount(count, "author")}`;
    const title = count === 0 ? `Nothing matches ${escapeText(rule, 40)}` : `${what} in /${channelId}?`;
    const color = count === 0 ? "plain" : "warning";
    const view = textView(color, lines, { title });
    if (count === 0) return { view };
    const hashes = action === "hide" ? casts.map(({ hash }) => hash) : [];
    return { view, state: { channelId, rule, hashes, fids: action === "ban" ? fids : [], reason } };
  },
  async act(context, { channelId, rule, hashes, fids, reason }) {
    const kind = hashes.length > 0 ? ("hide" as const) : ("ban" as const);
    const { by } = await authorizeAction(context, context.actor, channelId, "rules", kind);
    const asked = { channelId, kind, selection: `what rule ${rule} fits`, by, reason };
    if (kind === "ban")
      return carryOutBulk(
        context,
        asked,
        fids.map((targetFid) => ({ kind, targetFid })),
      );
    const casts = await readAgain(context.database.query, { channelId, hidden: false }, hashes);
    if (casts.length === 0) throw new AppError("invalid_input", "All of them are already hidden or removed.");
    return carryOutBulk(
      context,
      asked,
      casts.map((cast) => ({ kind, targetCast: cast.hash, evidence: cast.body })),
    );
  },
});

/** The casts that a rule in force matches, newest first. */
async function findHits(context: CommandContext, channelId: string, rule: string, days: number) {
  const { guildId, userId } = context.actor;
  const { ruleSet } = await requireReadable(context);
  const hits = new Set<string>();
  const { done } = await rehearse(context, {
    queue: `user ${userId}`,
    guildId,
    channelIds: [channelId],
    since: seconds(context.clock) - days * 86_400,
    before: undefined,
    after: ruleSet,
    timeoutMs,
    onHit(ruleId, { event }) {
      if (ruleId === rule && event.kind === "cast.created") hits.add(event.data.castHash);
    },
  });
  return { hits: [...hits], done };
}

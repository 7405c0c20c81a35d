import * as fc from "fast-check";
import { isBanKind } from "../../src/moderation/cases/case.ts";
import type { World } from "../support/world.ts";
import { checkPlace, readCases } from "./history-check.ts";
import { createBanModel, type BanModel } from "./history-model.ts";
import {
  actByRule,
  dieAt,
  observe,
  openPlace,
  pass,
  previewUndo,
  targets,
  type,
  type Place,
} from "./history-world.ts";
import { runOpenBulks } from "../support/jobs.ts";

/** For how long, in seconds; null for good. */
const length = fc.constantFrom(60, 600, 3600, 86_400, null, null);
const moderator = fc.nat(1);
const whom = fc.nat(targets.length - 1);
const which = fc.nat(3);
/** Which of the cases, counted from the latest. */
const back = fc.nat(6);

const banning = fc.record({ do: fc.constant("ban" as const), moderator, whom, length });
const lifting = fc.record({ do: fc.constant("unban" as const), moderator, whom });
const hiding = fc.record({ do: fc.constantFrom("hide" as const, "unhide" as const), moderator, which });
const action = fc.oneof(
  { arbitrary: banning, weight: 4 },
  { arbitrary: lifting, weight: 2 },
  { arbitrary: hiding, weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("duration" as const), moderator, back, length }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("undo" as const), moderator, back }), weight: 5 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom("bulk hide" as const, "bulk unhide" as const),
      moderator,
      whom,
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constant("bulk undo" as const), moderator, back: fc.nat(2) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("rule bans" as const), whom, length }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("rule hides" as const), which }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("outside bans" as const), whom }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("outside unbans" as const), whom }), weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom("outside hides" as const, "outside unhides" as const),
      which,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("die" as const),
      when: fc.constantFrom("before" as const, "after" as const),
      during: fc.oneof(banning, lifting, hiding),
    }),
    weight: 1,
  },
);
type Action = typeof action extends fc.Arbitrary<infer Made> ? Made : never;

/**
 * Time passes, then this happens, one after the other, before anybody looks at the network; but for what others do outside:
 * what a listing never showed nobody can know.
 */
const step = fc.record({
  passes: fc.constantFrom(0, 0, 1, 30, 59, 60, 700, 4000),
  actions: fc.array(fc.record({ after: fc.nat(2), action }), { minLength: 1, maxLength: 3 }),
});
export const history = fc.array(step, { minLength: 4, maxLength: 8 });
type History = typeof history extends fc.Arbitrary<infer Made> ? Made : never;

/** Lives through a history; how many steps it had. Throws at the first thing that is not so. */
export async function live(bot: World, number: number, steps: History): Promise<number> {
  const place = await openPlace(bot, number);
  const model = createBanModel();
  for (const { passes, actions } of steps) {
    await pass(place, passes);
    model.pass(place.bot.clock.now());
    for (const { after, action } of actions) {
      place.bot.clock.advance(after);
      const isOutside = action.do.startsWith("outside");
      if (isOutside) await observe(place);
      await perform(place, model, action);
      if (isOutside) await observe(place);
    }
    await observe(place);
    await checkPlace(place, model);
  }
  return steps.length;
}

async function perform(place: Place, model: BanModel, action: Action): Promise<void> {
  const { channelId } = place;
  const outside = place.bot.net.as(1);
  const fid = "whom" in action ? (targets[action.whom] ?? 0) : 0;
  const castHash = "which" in action ? (place.casts[action.which] ?? "") : "";
  switch (action.do) {
    case "outside bans":
      await outside.channelBans.ban({ channelId, banFid: fid });
      return model.banOutside(fid);
    case "outside unbans":
      await outside.channelBans.unban({ channelId, unbanFid: fid });
      return model.unban(fid);
    case "outside hides":
    case "outside unhides":
      await outside.moderatedCasts.moderate({
        castHash,
        action: action.do === "outside hides" ? "hide" : "unhide",
      });
      return;
    case "rule bans":
      await actByRule(place, { kind: "ban", fid, reason: null, forSeconds: action.length });
      return followCases(place, model, "unseen");
    case "rule hides":
      return actByRule(place, { kind: "hide", castHash });
    case "die":
      await dieAt(place, action.when, (dying) => act(dying, action.during));
      await followCases(place, model);
      return model.pass(place.bot.clock.now());
    case "undo":
      return undo(place, model, action);
    case "duration":
      return changeDuration(place, model, action);
    default:
      await act(place, action);
      return followCases(place, model);
  }
}

type Typed = Extract<
  Action,
  { do: "ban" | "unban" | "hide" | "unhide" | "bulk hide" | "bulk unhide" | "bulk undo" }
>;

async function act(place: Place, action: Typed): Promise<void> {
  const user = "whom" in action ? String(targets[action.whom]) : "";
  const cast = "which" in action ? (place.casts[action.which] ?? "") : "";
  switch (action.do) {
    case "ban":
      await type(place, action.moderator, "ban", {
        user,
        reason: "spam",
        duration: action.length === null ? "permanent" : `${action.length}s`,
      });
      return;
    case "unban":
      return void (await type(place, action.moderator, "undo", { what: `fid ${user}` }));
    case "hide":
      return void (await type(place, action.moderator, "hide", { cast }));
    case "unhide":
      return void (await type(place, action.moderator, "undo", { what: cast }));
    case "bulk hide":
      return void (await type(place, action.moderator, "hide", { user }));
    case "bulk unhide":
      return void (await type(place, action.moderator, "hide", { user, show_again: true }));
    case "bulk undo": {
      const bulks = await place.bot.database.query
        .selectFrom("castellan.bulks")
        .select("number")
        .where("guild_id", "=", place.guildId)
        .orderBy("number", "desc")
        .execute();
      const number = bulks[action.back]?.number;
      if (number !== undefined) await type(place, action.moderator, "undo", { what: `B-${number}` });
      await runOpenBulks(place.bot);
    }
  }
}

/**
 * Cases that the model has not taken in yet, in their order: what they asked for, not what came of it. What takes one of them back
 * brings back the end that the model knew before it.
 */
async function followCases(place: Place, model: BanModel, look: "seen" | "unseen" = "seen"): Promise<void> {
  for (const subject of await readCases(place)) {
    const { id, kind, targetFid, actorKind, dueAtMs, state, endsCaseId, undoesCaseId } = subject;
    if (place.followed.has(id)) continue;
    place.followed.add(id);
    if (actorKind === "outside" || targetFid === null || state === "failed" || endsCaseId !== null) continue;
    place.endsBefore.set(id, model.untilOf(targetFid));
    const before = undoesCaseId === null ? undefined : place.endsBefore.get(undoesCaseId);
    const untilMs = before === undefined ? dueAtMs : before;
    if (kind === "unban") model.unban(targetFid);
    else if (isBanKind(kind)) model[look === "seen" ? "ban" : "banUnseen"](targetFid, untilMs);
  }
}

/** What the preview promises comes to be, unless others do something about it, who here do not. */
async function undo(place: Place, model: BanModel, action: Extract<Action, { do: "undo" }>): Promise<void> {
  const number = (await readCases(place)).toReversed()[action.back]?.number;
  if (number === undefined) return;
  const done = await type(place, action.moderator, "undo", { what: String(number) });
  if ("refused" in done) return;
  await followCases(place, model);
  const again = await previewUndo(place, number);
  if (!again.includes("can be undone"))
    throw new Error(`C-${number} can be undone twice: ${done.told} ${again}`);
}

async function changeDuration(
  place: Place,
  model: BanModel,
  action: Extract<Action, { do: "duration" }>,
): Promise<void> {
  const bans = (await readCases(place)).filter(({ kind }) => isBanKind(kind)).toReversed();
  const { number, targetFid } = bans[action.back] ?? {};
  if (number === undefined) return;
  const duration = action.length === null ? "for good" : `${action.length}s`;
  const done = await type(place, action.moderator, "case edit", { number: String(number), duration });
  if ("refused" in done) return;
  await followCases(place, model);
  model.ban(targetFid ?? 0, action.length === null ? null : place.bot.clock.now() + action.length * 1000);
}

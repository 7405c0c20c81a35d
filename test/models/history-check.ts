import { isInForce } from "../../src/database/tables/case-states.ts";
import { toCase, type Case } from "../../src/moderation/cases/case.ts";
import { findStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import type { BanModel } from "./history-model.ts";
import { castsEach, previewUndo, readPage, targets, type, type Place } from "./history-world.ts";

/** Of the latest cases, those whose undoing is previewed at each step. */
const previewed = 4;

export async function readCases({ bot, channelId }: Place): Promise<Case[]> {
  const rows = await bot.database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .execute();
  return rows.map(toCase);
}

/** What the network lists, whoever asks. */
interface Shown {
  banned: Set<number>;
  restricted: Set<number>;
  hidden: Set<string>;
}

async function look({ bot, channelId, casts }: Place): Promise<Shown> {
  const { result: bans } = await bot.net.public.channelBans.list({ channelId });
  const { result: restrictions } = await bot.net.public.channelRestrictedUsers.list({ channelId });
  const hidden = new Set<string>();
  for (const hash of casts) {
    if ((await bot.net.api.operator.readCast({ hash })).hiddenByModeration) hidden.add(hash);
  }
  return {
    banned: new Set(bans.bannedUsers.map(({ fid }) => fid)),
    restricted: new Set(restrictions.restrictedUsers.map(({ fid }) => fid)),
    hidden,
  };
}

/** Cases, cards, lists, ends and previews against what the network shows and the model says. Throws what is not so. */
export async function checkPlace(place: Place, model: BanModel): Promise<void> {
  const shown = await look(place);
  const cases = await readCases(place);
  const wrong = [
    ...checkCases(place, cases, shown),
    ...(await checkBans(place, model, shown)),
    ...(await checkCards(place, model, shown)),
    ...(await checkPreviews(place, cases, shown)),
  ];
  if (wrong.length > 0) {
    const told = cases.map(
      ({ number, kind, state, target, actorKind, dueAtMs }) =>
        `C-${number} ${kind} ${state} ${target} ${actorKind} ${dueAtMs ?? ""}`,
    );
    throw new Error([...wrong, ...told, `now ${place.bot.clock.now()}`].join("\n"));
  }
}

/** A case is in force where what it did is so, and no other. */
function checkCases({ channelId, casts }: Place, cases: readonly Case[], shown: Shown): string[] {
  const holds = (kind: Case["kind"], target: string) =>
    cases.some((one) => one.kind === kind && one.target === target && isInForce(one.state));
  const open = cases.filter(({ state }) => state === "requested");
  return [
    ...open.map(({ number }) => `C-${number} is open`),
    ...targets.flatMap((fid) => {
      const isHeld = holds("ban", `${channelId} ${fid}`);
      return isHeld === shown.banned.has(fid) ? [] : [`fid ${fid}: banned ${!isHeld}, by cases ${isHeld}`];
    }),
    ...casts.flatMap((hash) => {
      const isHeld = holds("hide", `${channelId} ${hash}`);
      return isHeld === shown.hidden.has(hash) ? [] : [`cast ${hash}: hidden ${!isHeld}, by cases ${isHeld}`];
    }),
  ];
}

async function checkBans(place: Place, model: BanModel, shown: Shown): Promise<string[]> {
  const { bot, channelId } = place;
  const standing = await findStandingBans(bot.database.query, channelId, targets);
  const list = await readPage(place, "who", { list: "bans" });
  return targets.flatMap((fid) => {
    const isBanned = shown.banned.has(fid);
    if (model.isBanned(fid) !== isBanned)
      return [`fid ${fid}: banned ${isBanned}, by the model ${!isBanned}`];
    const listed = list.split("\n").find((line) => line.includes(`fid ${fid} `));
    if (!isBanned) return listed === undefined ? [] : [`fid ${fid} is not banned, but listed: ${listed}`];
    const untilMs = model.untilOf(fid);
    const said = standing.get(fid)?.untilMs;
    const end = untilMs === null ? "permanently" : `ends <t:${Math.floor(untilMs / 1000)}:R>`;
    return [
      ...(said === untilMs ? [] : [`fid ${fid}: until ${said}, by the model ${untilMs}`]),
      ...(listed?.includes(end) ? [] : [`fid ${fid}: listed as ${listed}, not "${end}"`]),
      ...(untilMs !== null && untilMs <= bot.clock.now() - 60_000
        ? [`fid ${fid}: the time is over since ${untilMs}`]
        : []),
    ];
  });
}

/** What /who says of each target. */
async function checkCards(place: Place, model: BanModel, shown: Shown): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, fid] of targets.entries()) {
    const card = await type(place, 0, "who", { user: String(fid) });
    if ("refused" in card) return [`/who of fid ${fid}: ${card.refused}`];
    const own = place.casts.slice(index * castsEach, (index + 1) * castsEach);
    const hidden = own.filter((hash) => shown.hidden.has(hash)).length;
    const untilMs = model.untilOf(fid);
    const end = untilMs === null ? "permanently" : `until <t:${Math.floor(untilMs / 1000)}:f>`;
    const facts: [string, boolean][] = [
      ["**banned**", shown.banned.has(fid)],
      ["**restricted**", shown.restricted.has(fid)],
      [`${castsEach} casts seen, ${hidden} hidden`, true],
      ...(shown.banned.has(fid) ? [[end, true] as [string, boolean]] : []),
    ];
    for (const [words, holds] of facts) {
      if (card.told.includes(words) !== holds)
        wrong.push(`/who of fid ${fid}: "${words}" should be ${holds}: ${card.told}`);
    }
  }
  return wrong;
}

/** A preview promises what can be: the opposite of what the network shows now. */
async function checkPreviews(place: Place, cases: readonly Case[], shown: Shown): Promise<string[]> {
  const wrong: string[] = [];
  for (const { number, targetFid, targetCast } of cases.slice(-previewed)) {
    const told = await previewUndo(place, number);
    const isBanned = targetFid !== null && shown.banned.has(targetFid);
    const isHidden = targetCast !== null && shown.hidden.has(targetCast);
    const promises: [string, boolean][] = [
      ["1 ban is lifted", isBanned],
      ["1 user is banned again", !isBanned],
      ["1 ban ends as before", isBanned],
      ["1 cast shows again", isHidden],
      ["1 cast is hidden again", !isHidden],
    ];
    const promised = promises.filter(([words]) => told.includes(words));
    if (promised.length === 0 && !told.includes("can be undone")) wrong.push(`C-${number}: ${told}`);
    for (const [words, canBe] of promised) {
      if (!canBe) wrong.push(`C-${number}: the preview says "${words}", which cannot be`);
    }
  }
  return wrong;
}

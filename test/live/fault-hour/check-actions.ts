import { toCase, type Case } from "../../../src/moderation/cases/case.ts";
import type { Write } from "../live-client.ts";
import { words, type Scene } from "./open-scene.ts";

/** What became of everything that the bot was asked to do. */
export interface ActionAccount {
  asked: number;
  done: number;
  /** Cases that say that nobody knows. */
  unknown: number;
  refused: number;
  /** Done again, asked for again though it was done, or said to be what it is not. */
  wrong: string[];
}

const routes: Partial<Record<Case["kind"], string>> = {
  ban: "POST /fc/channel-bans",
  unban: "DELETE /fc/channel-bans",
  invite: "POST /fc/channel-invites",
  revoke_invite: "DELETE /fc/channel-invites",
  remove_member: "DELETE /fc/channel-invites",
  hide: "POST /fc/moderated-casts",
  unhide: "POST /fc/moderated-casts",
  pin: "PUT /fc/pinned-casts",
};

/** Compares the bot's cases with what the double was asked to do, and did. Of each thing there is one case at most. */
export async function checkActions(scene: Scene): Promise<ActionAccount> {
  const { query } = scene.observer.context.database;
  const rows = await query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
  const all = rows.map(toCase);
  const cases = all.filter(({ actorKind }) => actorKind !== "outside");
  const account: ActionAccount = { asked: cases.length, done: 0, unknown: 0, refused: 0, wrong: [] };
  const known = new Set<Write>();
  for (const subject of cases) {
    const own = scene.client.writes.filter((write) => isOf(write, subject));
    for (const write of own) known.add(write);
    judge(scene, account, subject, own);
  }
  for (const write of scene.client.writes) {
    const isOfOurs = Object.values(routes).includes(write.route) && !known.has(write);
    if (isOfOurs) account.wrong.push(`nobody asked for ${write.route} ${JSON.stringify(write.body)}`);
  }
  account.wrong.push(...findMistaken(all), ...(await findUnpunished(scene, cases)));
  return account;
}

/** It asks for what the case does, while the case was open. */
function isOf({ route, body, at }: Write, subject: Case): boolean {
  const { kind, channelId, targetFid, targetCast, requestedAtMs, settledAtMs } = subject;
  if (route !== routes[kind] || at < requestedAtMs || at > (settledAtMs ?? Infinity)) return false;
  if (targetCast !== null) return body["castHash"] === targetCast && (body["action"] ?? kind) === kind;
  const fid = body["banFid"] ?? body["unbanFid"] ?? body["inviteFid"] ?? body["removeFid"];
  return body["channelId"] === channelId && fid === targetFid;
}

function judge(scene: Scene, account: ActionAccount, subject: Case, writes: readonly Write[]): void {
  const { id, kind, state, outcome, channelId, targetFid, targetCast } = subject;
  const wrong = (what: string) =>
    account.wrong.push(
      `#${id} (${kind} ${targetFid ?? targetCast} in ${channelId}, ${state}: ${outcome}) ${what}`,
    );
  const effective = writes.filter(({ changed }) => changed);
  if (effective.length > 1) wrong(`was done ${effective.length} times`);
  const [first] = effective;
  // What is shown late can be asked for again before it shows.
  const again = scene.showsLate
    ? []
    : writes.filter(({ status, arrived }) => status === 200 && first && arrived > first.performed);
  if (again.length > 0) wrong(`was asked for ${again.length} times more after it was done`);
  const isDone = effective.length > 0;
  switch (state) {
    case "applied":
    case "reverted":
      account.done += 1;
      if (!isDone) wrong("was never done");
      break;
    case "failed":
      if (isUnsure(outcome)) account.unknown += 1;
      else account.refused += 1;
      if (isDone && !isUnsure(outcome)) wrong("was done all the same");
      break;
    case "already":
      // What was never done need not be undone.
      if (kind === "unban" || kind === "unhide") account.refused += 1;
      else wrong("was so already, says the bot, and nobody else had anything to do with it");
      break;
    default:
      wrong("is still open");
  }
}

/** Nobody can tell what became of these. */
function isUnsure(outcome: Case["outcome"]): boolean {
  return outcome === "no_response" || outcome === "changed_since";
}

/** What the bot did, and says that somebody else did. Nobody else acts on the same. */
function findMistaken(cases: readonly Case[]): string[] {
  const own = new Set(cases.filter(({ actorKind }) => actorKind !== "outside").map(describe));
  return cases
    .filter((subject) => subject.actorKind === "outside" && own.has(describe(subject)))
    .map((subject) => `#${subject.id} says that somebody else did it: ${describe(subject)}`);
}

function describe({ kind, target, targetCast }: Case): string {
  return `${kind} ${target} ${targetCast ?? ""}`;
}

/**
 * Casts that were told, and that a rule should have done something about; and those with which it did so twice. Of one that
 * rules could not be asked about for long, /status says so.
 */
async function findUnpunished({ observer }: Scene, cases: readonly Case[]): Promise<string[]> {
  const told = await observer.events("cast.created");
  const { query } = observer.context.database;
  const putAside = await query
    .selectFrom("castellan.rule_evaluations as put")
    .innerJoin("castellan.events as event", "event.id", "put.event_id")
    .select("event.cast_hash")
    .where("put.note", "is not", null)
    .execute();
  const excused = new Set(putAside.map(({ cast_hash }) => cast_hash));
  return told.flatMap(({ data, subjectFid }) => {
    if (!("text" in data && "castHash" in data)) return [];
    const kind = data.text.includes(words.ban) ? "ban" : data.text.includes(words.hide) ? "hide" : undefined;
    if (!kind) return [];
    const own = cases.filter(
      (subject) =>
        subject.kind === kind &&
        subject.actorKind === "rule" &&
        (kind === "ban" ? subject.targetFid === subjectFid : subject.targetCast === data.castHash),
    );
    if (own.length === 1 || (own.length === 0 && excused.has(data.castHash))) return [];
    return [`${own.length} cases of a rule about "${data.text}" (${data.castHash})`];
  });
}

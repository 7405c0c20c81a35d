import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { NoticeState } from "../../database/tables/feed.ts";
import { asAppError } from "../../errors.ts";
import { hourMs } from "../../limits/rate-limit.ts";
import { describeUser, readNames } from "../../observe/people.ts";
import { colors } from "../../text/colors.ts";
import { showNumber } from "../../text/numbered.ts";
import { sendDirect } from "../send-direct.ts";
import type { Rooms } from "../rooms.ts";
import { fillTemplate } from "./notice-template.ts";

/** So many messages one person gets of a server in an hour; what comes more is not sent. */
const maxPerHour = 3;
/** What could not be sent for so long, in milliseconds, is news no more. */
const giveUpAfterMs = 6 * hourMs;
const again = 60_000;
const batch = 50;

interface DueNotice {
  caseId: number;
  guildId: string;
  fid: number;
  template: string;
  madeAtMs: number;
  kind: "ban" | "hide";
  number: number;
  channelId: string;
  reason: string | null;
  untilMs: number | null;
  /** Still as the message would say. */
  holds: boolean;
  sentLately: number;
}

async function listDue({ database, clock }: BotContext, most: number): Promise<DueNotice[]> {
  const now = clock.now();
  const { rows } = await sql<DueNotice>`
    select notice.case_id as "caseId", notice.guild_id as "guildId", notice.fid, notice.template,
      notice.made_at_ms as "madeAtMs", subject.kind, subject.number, subject.channel_id as "channelId",
      subject.public_reason as reason, subject.state = 'applied' as holds,
      case when subject.kind = 'ban'
        then (select until_ms from castellan.standing_bans where lane = subject.lane) end as "untilMs",
      (select count(*)::int from castellan.notices as sent where sent.guild_id = notice.guild_id
        and sent.fid = notice.fid and sent.state = 'sent' and sent.settled_at_ms > ${now - hourMs}) as "sentLately"
    from castellan.notices as notice join castellan.cases as subject on subject.id = notice.case_id
    where notice.state = 'waiting' and notice.retry_at_ms <= ${now}
    order by notice.retry_at_ms, notice.case_id limit ${most}
  `.execute(database.query);
  return rows;
}

export async function hasNotices(context: BotContext): Promise<boolean> {
  const due = await context.database.query
    .selectFrom("castellan.notices")
    .select("case_id")
    .where("state", "=", "waiting")
    .where("retry_at_ms", "<=", context.clock.now())
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Sends what waits, one by one: what was sent counts for the next. What fails for now is tried again a minute later. */
export async function sendNotices(context: BotContext, rooms: Rooms): Promise<void> {
  for (let sent = 0; sent < batch; sent += 1) {
    const [notice] = await listDue(context, 1);
    if (!notice) return;
    await settle(context, notice.caseId, await trySending(context, rooms, notice));
  }
}

async function trySending(context: BotContext, rooms: Rooms, notice: DueNotice): Promise<NoticeState> {
  if (!notice.holds || notice.sentLately >= maxPerHour) return "dropped";
  try {
    return (await send(context, rooms, notice)) ? "sent" : "unreachable";
  } catch (err) {
    const isFinal = asAppError(err, "room_unavailable", "message_refused", "message_blocked") !== undefined;
    const isOld = context.clock.now() - notice.madeAtMs > giveUpAfterMs;
    context.log.info({ err, caseId: notice.caseId, isFinal }, "somebody could not be told of what was done");
    return isFinal || isOld ? "unreachable" : "waiting";
  }
}

async function settle({ database, clock }: BotContext, caseId: number, state: NoticeState): Promise<void> {
  const now = clock.now();
  await database.query
    .updateTable("castellan.notices")
    .set(state === "waiting" ? { retry_at_ms: now + again } : { state, settled_at_ms: now })
    .where("case_id", "=", caseId)
    .execute();
}

/** False where nobody in Discord has verified the account. */
async function send(context: BotContext, rooms: Rooms, notice: DueNotice): Promise<boolean> {
  const { fid, template, kind, channelId, number, caseId } = notice;
  const { result } = await context.network.accountVerifications.list({ fid, platform: "discord" });
  const [verified] = result.verifications;
  if (!verified) return false;
  const name = (await readNames(context.database.query, [fid])).get(fid);
  const user = describeUser({ fid, name }).replaceAll("**", "");
  await sendDirect(rooms, verified.platformId, {
    nonce: `n${caseId} ${notice.madeAtMs}`,
    embeds: [
      {
        title:
          kind === "ban"
            ? `You were banned from /${channelId}`
            : `A cast of yours was hidden in /${channelId}`,
        description: fillTemplate(template, { ...notice, user }),
        footer: `Case ${showNumber("case", number)} in /${channelId}, ${caseId}`,
        timestamp: notice.madeAtMs,
        color: colors.plain,
      },
    ],
  });
  return true;
}

import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { AppError } from "../../errors.ts";
import { textsFor } from "../../languages/languages.ts";
import { hourMs } from "../../limits/rate-limit.ts";
import { noticesPurpose } from "../../observe/live/call-limits.ts";
import { inBackground } from "../../observe/live/live-context.ts";
import { nameWithFid, readNames } from "../../observe/people.ts";
import type { OutboxRow, Sender } from "../../outbox/send-outbox.ts";
import { colors } from "../../text/colors.ts";
import { showNumber } from "../../text/numbered.ts";
import { sendDirect, type DirectMessage } from "../send-direct.ts";
import { fillTemplate } from "./notice-template.ts";

/** The most messages that one person gets from a server in an hour; any more are not sent. */
const maxPerHour = 3;

/** Notifies somebody of an action against them, with the channel's template. */
export const noticeSender: Sender = {
  async send(context, row) {
    const subject = await readSubject(context, row);
    if (!subject?.holds || subject.sentLately >= maxPerHour) return "dropped";
    const { network } = inBackground(context, noticesPurpose);
    const { result } = await network.accountVerifications.list({
      fid: subject.fid,
      platform: "discord",
    });
    const [verified] = result.verifications;
    if (!verified) throw new AppError("room_unavailable", "No Discord user has verified the account.");
    await sendDirect(context, verified.platformId, await describe(context, subject, row), row);
    return "sent";
  },
  final: ["paused", "blocked", "refused"],
  // Older actions are not news.
  expiresAfter: () => 6 * hourMs,
  giveUp({ log }, { key }, err) {
    log.info({ err, caseId: key }, "could not notify a person of an action against them");
  },
};

interface Subject {
  fid: number;
  kind: "ban" | "hide";
  number: number;
  channelId: string;
  reason: string | null;
  untilMs: number | null;
  /** The case is still in force. */
  holds: boolean;
  sentLately: number;
}

async function readSubject(
  { database, clock }: BotContext,
  { key, destination }: OutboxRow,
): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select subject.subject_fid as fid, subject.kind, subject.number, subject.channel_id as "channelId",
      subject.public_reason as reason, subject.state = 'applied' as holds,
      case when subject.kind = 'ban'
        then (select until_ms from castellan.standing_bans where target_key = subject.target_key) end as "untilMs",
      (select count(*)::int from castellan.outbox where destination = ${destination} and kind = 'notice'
        and state = 'sent' and settled_at_ms > ${clock.now() - hourMs}) as "sentLately"
    from castellan.cases as subject where subject.id = ${Number(key)}
  `.execute(database.query);
  return rows[0];
}

async function describe(
  { database }: BotContext,
  subject: Subject,
  { key, data, requestedAtMs }: OutboxRow,
): Promise<DirectMessage> {
  const { fid, kind, channelId, number } = subject;
  const { notices } = textsFor(data.locale ?? "");
  const name = (await readNames(database.query, [fid])).get(fid);
  // The template escapes it.
  const user = nameWithFid({ fid, name });
  return {
    nonce: `n${key} ${requestedAtMs}`,
    embeds: [
      {
        title: notices[kind](channelId),
        description: fillTemplate(data.template ?? "", { ...subject, user }, notices),
        footer: notices.footer(showNumber("case", number), channelId, key),
        timestamp: requestedAtMs,
        color: colors.plain,
      },
    ],
  };
}

import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { textsFor } from "../../languages/languages.ts";
import type { Sender } from "../../outbox/send-outbox.ts";
import { colors } from "../../text/colors.ts";
import { showNumber } from "../../text/numbered.ts";
import { sendDirect, type DirectMessage } from "../send-direct.ts";
import { inForce } from "../../database/tables/case-states.ts";

/** Sends an appellant the decision. If their private messages are closed, they see it at their next /appeal. */
export const answerSender: Sender = {
  async send(context, row) {
    const answer = await readAnswer(context, row.key);
    if (!answer || answer.isSeen) return "dropped";
    // A granted appeal is announced once it has taken effect on the network.
    if (answer.isGranted && !answer.isApplied) return answer.isBeingApplied ? "wait" : "dropped";
    await sendDirect(context, answer.userId, describe(answer), row);
    return "sent";
  },
  final: ["paused", "blocked", "refused"],
  expiresAfter: () => 3600_000,
  giveUp({ log }, { key, destination }, err) {
    log.info(
      { err, item: key, userId: destination },
      "could not send the answer to an appeal; it is shown when the person next uses /appeal",
    );
  },
};

/** A decided appeal. */
interface Answer {
  itemId: number;
  tag: string;
  round: number;
  userId: string;
  /** The language of the appeal. */
  locale: string | null;
  channelId: string;
  number: number;
  kind: "ban" | "hide";
  isGranted: boolean;
  decidedAtMs: number;
  isSeen: boolean;
  isApplied: boolean;
  isBeingApplied: boolean;
}

/** By the review's number and round, as long as that round's decision stands. */
async function readAnswer({ database }: BotContext, key: string): Promise<Answer | undefined> {
  const [itemId, round] = key.split(" ").map(Number);
  const granted = (states: readonly string[]) => sql<boolean>`exists (
    select from castellan.cases as granted where granted.cause_event_id = item.event_id and granted.rule_id = item.rule_id
      and granted.guild_id = item.guild_id and granted.review_round = item.round and granted.state = any(${states}::text[]))`;
  const { rows } = await sql<Answer>`
    select item.id as "itemId", item.tag, item.round, appeal.user_id as "userId", appeal.locale, item.channel_id as "channelId",
      subject.number, subject.kind, item.state = 'approved' as "isGranted", item.decided_at_ms as "decidedAtMs",
      coalesce(appeal.seen_round, -1) >= item.round as "isSeen",
      ${granted(inForce)} as "isApplied", ${granted(["requested"])} as "isBeingApplied"
    from castellan.appeals as appeal
    join castellan.review_items as item on item.id = appeal.item_id
    join castellan.cases as subject on subject.id = appeal.case_id
    where item.id = ${itemId} and item.round = ${round} and item.state <> 'open'
  `.execute(database.query);
  return rows[0];
}

function describe({
  itemId,
  round,
  locale,
  channelId,
  number,
  kind,
  isGranted,
  ...answer
}: Answer): DirectMessage {
  const { appealAnswers: texts } = textsFor(locale ?? "");
  const granted = kind === "ban" ? texts.banLifted : texts.castShown;
  const declined = kind === "ban" ? texts.banStays : texts.castStays;
  const sentences = [
    texts[kind](channelId, showNumber("case", number)),
    isGranted ? granted : declined,
    ...(round === 0 ? [] : [texts.replacesEarlier]),
  ];
  return {
    nonce: `${answer.tag.slice(0, 18)} ${round}`,
    embeds: [
      {
        title: isGranted ? texts.granted : texts.declined,
        description: sentences.join(" "),
        footer: texts.footer(showNumber("review", itemId), round + 1),
        timestamp: answer.decidedAtMs,
        color: isGranted ? colors.good : colors.plain,
      },
    ],
  };
}

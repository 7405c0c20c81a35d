import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { colors } from "../../text/colors.ts";
import { showNumber } from "../../text/numbered.ts";
import type { Rooms } from "../rooms.ts";
import { sendDirect, type DirectMessage } from "../send-direct.ts";

/** An answer that cannot be sent for so long, in milliseconds, waits for the next /appeal alone. */
const giveUpAfterMs = 3600_000;

/** A decided appeal of which its maker has not heard. */
interface Unsent {
  itemId: number;
  tag: string;
  round: number;
  userId: string;
  channelId: string;
  number: number;
  kind: "ban" | "hide";
  isGranted: boolean;
  decidedAtMs: number;
}

/** What is granted is told once it is so on the network: a case of the review's, in its round. */
async function listUnsent({ database }: BotContext, most: number): Promise<Unsent[]> {
  const { rows } = await sql<Unsent>`
    select item.id as "itemId", item.tag, item.round, appeal.user_id as "userId", item.channel_id as "channelId",
      subject.number, subject.kind, item.state = 'approved' as "isGranted", item.decided_at_ms as "decidedAtMs"
    from castellan.appeals as appeal
    join castellan.review_items as item on item.id = appeal.item_id
    join castellan.cases as subject on subject.id = appeal.case_id
    where item.state <> 'open' and coalesce(appeal.sent_round, -1) < item.round
      and coalesce(appeal.seen_round, -1) < item.round
      and (item.state <> 'approved' or exists (
        select from castellan.cases as granted where granted.cause_event_id = item.event_id
          and granted.rule_id = item.rule_id and granted.guild_id = item.guild_id
          and granted.state in ('applied', 'already')
          and granted.action_round = item.round))
    order by item.decided_at_ms limit ${most}
  `.execute(database.query);
  return rows;
}

export async function hasUnsentAnswers(context: BotContext): Promise<boolean> {
  return (await listUnsent(context, 1)).length > 0;
}

/**
 * Sends people, as a private message, what became of their appeals, each answer once: what was sent before a crash is
 * found in the room. Who takes no such messages hears it at their next /appeal. One that cannot be sent now holds up no
 * other; then it throws why, to be tried again.
 */
export async function notifyAppellants(context: BotContext, rooms: Rooms): Promise<void> {
  const failures: unknown[] = [];
  for (const answer of await listUnsent(context, 100)) {
    try {
      await sendDirect(rooms, answer.userId, describe(answer));
    } catch (err) {
      const isFinal = asAppError(err, "room_unavailable", "message_refused", "message_blocked") !== undefined;
      const isOld = context.clock.now() - answer.decidedAtMs > giveUpAfterMs;
      if (!isFinal && !isOld) {
        failures.push(err);
        continue;
      }
      const { itemId, userId } = answer;
      context.log.info({ err, itemId, userId }, "the answer to an appeal waits for the next /appeal");
    }
    await context.database.query
      .updateTable("castellan.appeals")
      .set({ sent_round: answer.round })
      .where("item_id", "=", answer.itemId)
      .execute();
  }
  if (failures.length > 0) throw failures[0];
}

function describe({ itemId, round, channelId, number, kind, isGranted, ...answer }: Unsent): DirectMessage {
  const what = kind === "ban" ? `your ban from /${channelId}` : `your cast in /${channelId} that was hidden`;
  const granted =
    kind === "ban"
      ? "The ban is lifted. You need a new invite to become a member again."
      : "The cast shows again.";
  const kept = kind === "ban" ? "The ban stays." : "The cast stays hidden.";
  const again = round === 0 ? "" : " This takes the place of an earlier answer.";
  return {
    nonce: `${answer.tag.slice(0, 18)} ${round}`,
    embeds: [
      {
        title: `Your appeal was ${isGranted ? "granted" : "not granted"}`,
        description: `The moderators looked again at ${what} (${showNumber("case", number)}). ${isGranted ? granted : kept}${again}`,
        footer: `Appeal ${showNumber("review", itemId)}, answer ${round + 1}`,
        timestamp: answer.decidedAtMs,
        color: isGranted ? colors.good : colors.plain,
      },
    ],
  };
}

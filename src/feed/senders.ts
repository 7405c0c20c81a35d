import type { Senders } from "../outbox/send-outbox.ts";
import { editSender } from "./deliver/edit-messages.ts";
import { answerSender } from "./notices/notify-appellant.ts";
import { noticeSender } from "./notices/send-notices.ts";
import { proofSender } from "./tell-proofs.ts";

/** The sender for each kind of the outbox. */
export const senders: Senders = {
  edit: editSender,
  notice: noticeSender,
  answer: answerSender,
  proof: proofSender,
};

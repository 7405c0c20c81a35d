import type { Senders } from "../src/outbox/send-outbox.ts";
import { webhookSender } from "../src/integrations/call-webhook.ts";
import { editSender } from "../src/feed/deliver/edit-messages.ts";
import { answerSender } from "../src/feed/notices/notify-appellant.ts";
import { noticeSender } from "../src/feed/notices/send-notices.ts";
import { proofSender } from "../src/feed/tell-proofs.ts";

/** The sender for each kind of the outbox. */
export const senders: Senders = {
  edit: editSender,
  notice: noticeSender,
  answer: answerSender,
  proof: proofSender,
  webhook: webhookSender,
};

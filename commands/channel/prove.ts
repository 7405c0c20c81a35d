import { z } from "zod";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { form, text } from "../../src/discord/command.ts";
import { openForm } from "../../src/discord/forms.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { listWays } from "../../src/moderation/proofs/confirm.ts";
import { codeMinutes, giveCode } from "../../src/moderation/proofs/link-codes.ts";
import {
  describeSignedText,
  proveBySignature,
  requireCode,
} from "../../src/moderation/proofs/prove-by-signature.ts";
import { codeCastText } from "../../src/observe/hub/code-casts.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { readChannelId } from "../shared/options.ts";
import { linkNow } from "./link-now.ts";

/** Shows a server manager how to prove that they own or moderate a channel; links nothing yet. */
export async function offerProofs(context: CommandContext, channelId: string): Promise<View> {
  const code = await giveCode(context, context.actor, channelId);
  const opened = await openForm(context, "channel sign", sign, { channel: channelId });
  const ways = listWays(context);
  const lines = [
    `Nobody who owns or moderates /${channelId} has verified your Discord account as theirs. Prove in one of these ways that you own or moderate it, until ${describeTime(Math.floor(code.expiresAtMs / 1000), "f")}.${ways.cast || ways.signature ? " The texts are for you alone and can be used once." : ""}`,
    "",
    ...(ways.cast
      ? [
          `**Cast this text alone**, in any channel, from the account that owns or moderates /${channelId}:`,
          `\`\`\`\n${codeCastText(code)}\n\`\`\``,
          "Castellan posts in this room as soon as it sees the cast. You can delete it then.",
          "",
        ]
      : []),
    ...(ways.signature
      ? [
          `**${ways.cast ? "Or sign" : "Sign"} this**, as a message, with the custody wallet of that account, and paste the signature:`,
          `\`\`\`\n${describeSignedText(context, code)}\n\`\`\``,
          "The signature is for nothing else and costs nothing.",
          "",
        ]
      : []),
    `**${ways.cast || ways.signature ? "Or connect" : "Connect"} Discord** to that Farcaster account, and use /channel link again. The operator of Castellan can also allow this server (CHANNEL_GUILDS). After ${codeMinutes} minutes /channel link gives new texts.`,
    ...(ways.cast
      ? []
      : [
          "",
          "A cast proves nothing here, because Castellan reads casts from a single hub and no second source confirms them (HUB_URL).",
        ]),
  ];
  return {
    ...textView("warning", lines, { title: `Prove that you own or moderate /${channelId}` }),
    ...(ways.cast && { links: [{ label: "Cast it on Farcaster", url: composeLink(codeCastText(code)) }] }),
    ...("customId" in opened &&
      ways.signature && {
        buttons: [[{ customId: opened.customId, label: "Paste the signature", style: "primary" as const }]],
      }),
  };
}

/** Opens Farcaster with a draft that has only this text. */
function composeLink(castText: string): string {
  return `https://farcaster.xyz/~/compose?text=${encodeURIComponent(castText)}`;
}

export const sign = form({
  description: "Link a channel that you own or moderate by a signature of your custody wallet",
  needs: "manage",
  options: {
    channel: text({
      description: "The channel's id, such as memes, or its link; /channel link shows what to sign",
      required: true,
      maxLength: 100,
    }),
  },
  confirmLabel: "Link it",
  formState: z.object({ channelId: z.string() }),
  state: z.object({ channelId: z.string() }),
  async open(context, { channel: given }) {
    const channelId = readChannelId(given);
    await requireCode(context, context.actor, channelId);
    return {
      title: `Sign for /${channelId}`,
      fields: { signature: { label: "The signature: 0x and 130 digits", value: "", maxLength: 4000 } },
      state: { channelId },
    };
  },
  async preview(context, { channelId }, { signature = "" }) {
    const fid = await proveBySignature(context, context.actor, channelId, signature);
    const description = `Proven: you are fid ${fid}, who owns or moderates /${channelId}. Link it to this server now?`;
    return { view: textView("good", description), state: { channelId } };
  },
  act: (context, { channelId }) => linkNow(context, channelId),
});

import type { CommandContext } from "../../src/discord/command-context.ts";
import { openFormOfOptions } from "../../src/discord/forms.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { listWays } from "../../src/moderation/proofs/confirm.ts";
import { codeMinutes, giveCode } from "../../src/moderation/proofs/link-codes.ts";
import { describeSignedText } from "../../src/moderation/proofs/prove-by-signature.ts";
import { codeCastText } from "../../src/observe/hub/code-casts.ts";
import { describeTime } from "../../src/text/message-text.ts";

/** Shows a server manager how to prove that they own or moderate a channel; links nothing yet. */
export async function offerProofs(context: CommandContext, channelId: string): Promise<View> {
  const code = await giveCode(context, context.actor, channelId);
  const signing = await openFormOfOptions(context, "setup link", {
    title: `Sign for /${channelId}`,
    fields: { signature: { label: "The signature: 0x and 130 digits", value: "", maxLength: 4000 } },
    state: { channel: channelId },
  });
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
    `**${ways.cast || ways.signature ? "Or connect" : "Connect"} Discord** to that Farcaster account, and use /setup link again. The operator of Castellan can also allow this server (CHANNEL_GUILDS). After ${codeMinutes} minutes /setup link gives new texts.`,
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
    ...(ways.signature && {
      buttons: [[{ customId: signing.customId, label: "Paste the signature", style: "primary" as const }]],
    }),
  };
}

/** Opens Farcaster with a draft that has only this text. */
function composeLink(castText: string): string {
  return `https://farcaster.xyz/~/compose?text=${encodeURIComponent(castText)}`;
}

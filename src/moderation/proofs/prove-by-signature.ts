import { recoverMessageAddress } from "viem";
import type { Actor, BotContext } from "../../bot-context.ts";
import { AppError, asAppError } from "../../errors.ts";
import { requireManager, staffOf } from "../staff.ts";
import { readChannel } from "../find-target.ts";
import { confirmCustody, otherWays } from "./confirm.ts";
import { findCode, spendCode, type LinkCode } from "./link-codes.ts";
import { readCustody, recordProof } from "./staff-proofs.ts";

/** The text for the custody wallet of the channel's owner or moderator to sign (EIP-191): all that the code is bound to. */
export function describeSignedText(
  { settings, botFid }: BotContext,
  { channelId, guildId, userId, code, expiresAtMs }: LinkCode,
): string {
  return [
    `Castellan may link the Farcaster channel /${channelId} to the Discord server ${guildId}.`,
    "I own or moderate this channel, and the Discord user below acts for me.",
    "",
    `Discord user: ${userId}`,
    `Network: ${new URL(settings.linkBase).host}, Castellan's fid ${botFid}`,
    `Code: ${code}`,
    `Valid until: ${new Date(expiresAtMs).toISOString()}`,
  ].join("\n");
}

/** The actor's valid code. Throws `not_allowed`, `expired`. */
async function requireCode(context: BotContext, actor: Actor, channelId: string): Promise<LinkCode> {
  requireManager(actor, channelId);
  const code = await findCode(context, actor, channelId);
  if (code) return code;
  throw new AppError(
    "not_proven",
    `You have no text to sign for /${channelId}, or it has expired. /setup link gives you a new one.`,
  );
}

/**
 * Verifies the signature of the actor's text, and records the proof; returns the signer's fid. Throws `invalid_input` for
 * an invalid signature, `not_proven` unless an owner or moderator of the channel made it, and network errors.
 */
export async function proveBySignature(
  context: BotContext,
  actor: Actor,
  channelId: string,
  pasted: string,
): Promise<number> {
  const asked = await requireCode(context, actor, channelId);
  const signer = await recoverSigner(describeSignedText(context, asked), pasted);
  const channel = await readChannel(context, channelId);
  const fid = await findHolder(context, staffOf(channel), signer);
  await context.database.transaction(async (tx) => {
    if (!(await spendCode(tx, asked.code, context.clock.now()))) {
      throw new AppError("already_answered", `This was proven already. /setup link links /${channelId}.`);
    }
    const { guildId, userId } = actor;
    const proof = { guildId, channelId: channel.id, userId, fid, castHash: null, custodyAddress: signer };
    await recordProof(context, tx, { ...proof, method: "signature" });
  });
  return fid;
}

/** The address, in lower case, that signed the text. Wallets and their pages show more than the signature alone. */
async function recoverSigner(text: string, pasted: string): Promise<string> {
  const signature = /\b(?:0x)?([0-9a-f]{130})\b/i.exec(pasted)?.[1];
  if (signature === undefined) {
    throw new AppError(
      "invalid_input",
      "That is not a signature. Sign the whole text with the custody wallet, as a message, and paste the result: 0x and 130 digits.",
    );
  }
  try {
    return (await recoverMessageAddress({ message: text, signature: `0x${signature}` })).toLowerCase();
  } catch (cause) {
    throw new AppError("invalid_input", "That is not a valid signature. Sign the text again.", {
      cause,
    });
  }
}

/** The staff member with this custody address. Throws `not_proven` if there is none, or the hub's error if it has none. */
async function findHolder(context: BotContext, staff: readonly number[], signer: string): Promise<number> {
  const wanted: string[] = [];
  let failure: unknown;
  for (const fid of staff.filter((one) => one !== context.botFid)) {
    try {
      const custody = await readCustody(context.network.hub, fid);
      if (custody === signer) {
        if ((await confirmCustody(context, fid, signer)) === "confirmed") return fid;
        throw unconfirmed(fid, signer);
      }
      if (custody !== undefined) wanted.push(`${custody} (fid ${fid})`);
    } catch (error) {
      if (asAppError(error, "not_proven")) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined && wanted.length === 0) throw failure;
  const expected = wanted.length > 0 ? `, with one of these wallets: ${wanted.slice(0, 5).join(", ")}` : "";
  throw new AppError(
    "not_proven",
    `This signature does not match. Either ${signer} is not the custody wallet of somebody who owns or moderates the channel, or another text was signed. Sign the text exactly as it is shown${expected}.`,
  );
}

function unconfirmed(fid: number, address: string): AppError {
  return new AppError(
    "not_proven",
    `The hub says that ${address} is the custody wallet of fid ${fid}, but neither the name registry nor a second hub does, and one hub alone proves nothing. ${otherWays}`,
  );
}

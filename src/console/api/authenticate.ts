import type { FastifyRequest } from "fastify";
import type { CommandContext } from "../../discord/command-context.ts";
import { AppError } from "../../errors.ts";
import { findToken, noteTokenUse, type ApiToken, type TokenFault } from "../../moderation/api-tokens.ts";
import type { ConsoleParts } from "../console-parts.ts";
import type { Limits } from "../limits.ts";

/** A token and the context of its requests: its creator's current rights, limited to the token's capabilities. */
interface TokenContext {
  token: ApiToken;
  enter(this: void): Promise<CommandContext>;
}

const faults: Record<TokenFault, string> = {
  unknown:
    "This needs a token, as `Authorization: Bearer castellan_…`. /setup tokens creates one in Discord.",
  revoked: "This token was revoked. /setup tokens creates another in Discord.",
  expired: "This token has expired. /setup tokens creates another in Discord.",
};

/** Throws `invalid_auth_token`, and `rate_limited` for an address that sends too many wrong tokens. */
export async function authenticate(
  { context, members }: ConsoleParts,
  { limitWrongTokens }: Limits,
  request: FastifyRequest,
): Promise<TokenContext> {
  const brought = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const token = await findToken(context, brought);
  if (typeof token === "string") {
    await limitWrongTokens(request);
    throw new AppError("invalid_auth_token", faults[token]);
  }
  await noteTokenUse(context, token);
  const { guildId, createdBy, name, capabilities } = token;
  return {
    token,
    async enter() {
      // It may have been revoked while the request waited for its turn.
      const now = await findToken(context, brought);
      if (typeof now === "string") throw new AppError("invalid_auth_token", faults[now]);
      const entered = await members.enter(guildId, createdBy);
      if (entered) return { ...entered, actor: { ...entered.actor, token: { name, capabilities } } };
      throw new AppError(
        "invalid_auth_token",
        "The token's creator is no longer in its server, or Castellan is not.",
      );
    },
  };
}

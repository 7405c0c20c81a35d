import type { Tx } from "../../src/database/database.ts";
import { answer, parsed, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import {
  apiCapabilities,
  createToken,
  listTokens,
  revokeToken,
  type ApiCapability,
} from "../../src/moderation/api-tokens.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { listRights } from "../../src/moderation/authorize.ts";
import { announceSetupChange } from "../../src/observe/setup-changes.ts";
import { formatExactDuration } from "../../src/text/duration.ts";
import { codeBlock, describeTime, inlineCode } from "../../src/text/message-text.ts";
import { chooseListed } from "../shared/choose-listed.ts";
import { durationOption } from "../shared/options.ts";

const day = 86_400;
const usualLife = 90 * day;
const maxLife = 366 * day;

const nameForm = /^[a-z0-9][a-z0-9-]{0,31}$/;

export const tokens = answer({
  description: "API tokens of this server: lists, creates or revokes one",
  needs: "link",
  options: {
    add: text({ description: "Name of a new token, such as ci-bot", maxLength: 32 }),
    may: parsed(
      { description: "What the new token may do: view, invite, hide, pin, ban, undo", maxLength: 100 },
      readCapabilities,
    ),
    expires: durationOption("When the new token expires, such as 30d; 90 days if left out"),
    revoke: text({ description: "Name of a token to revoke", maxLength: 32 }),
  },
  async run(context, { add, may, expires, revoke }) {
    await authorizeIn(context, context.actor, "link");
    if (add === undefined && (may ?? expires) !== undefined) {
      throw new AppError("invalid_input", "`may` and `expires` are for a new token, so fill in `add` too.");
    }
    const wanted = add === undefined ? undefined : await prepareToken(context, add.trim(), may, expires);
    // Both or neither: the answer to a mistake must not hide that a token was revoked.
    const created = await context.database.transaction((tx) =>
      changeTokens(context, tx, revoke?.trim(), wanted),
    );
    const said = [
      ...(revoke === undefined ? [] : ["**Revoked. It no longer works.**"]),
      ...(wanted && created ? describeCreated(wanted, created) : []),
    ];
    return showTokens(context, said);
  },
});

/** "view, hide" as capabilities. Throws `invalid_input`. */
function readCapabilities(typed: string): ApiCapability[] {
  const chosen = chooseListed(typed, apiCapabilities);
  if (chosen) return chosen;
  throw new AppError(
    "invalid_input",
    `A token may: ${apiCapabilities.join(", ")}. Give one or several of them.`,
  );
}

type WantedToken = Parameters<typeof createToken>[2] & { life: number };

/** A new token, with at most the capabilities that its creator has in some channel. Throws `invalid_input`, `not_allowed`. */
async function prepareToken(
  context: CommandContext,
  name: string,
  may: readonly ApiCapability[] | undefined,
  life = usualLife,
): Promise<WantedToken> {
  const { actor, clock } = context;
  const { guildId, userId } = actor;
  if (!nameForm.test(name)) {
    throw new AppError("invalid_input", "A token's name has 1 to 32 of a-z, 0-9 and -, such as ci-bot.");
  }
  if (!may) throw new AppError("invalid_input", "Give its permissions with `may`, such as view, hide.");
  if (life < 60 || life > maxLife) {
    throw new AppError("invalid_input", "A token lasts between 1 minute and 366 days.");
  }
  const held = new Set([...(await listRights(context, actor)).values()].flat());
  const beyond = may.filter((one) => !held.has(one));
  if (beyond.length > 0) {
    throw new AppError(
      "not_allowed",
      `A token cannot do more than you. You do not have these in any channel of this server: ${beyond.join(", ")}.`,
    );
  }
  const expiresAtMs = clock.now() + life * 1000;
  return { guildId, name, capabilities: may, createdBy: userId, expiresAtMs, life };
}

/** Revokes a token, creates another, or both, and returns the new one. */
async function changeTokens(
  context: CommandContext,
  tx: Tx,
  revoke: string | undefined,
  wanted: WantedToken | undefined,
): Promise<string | undefined> {
  const { guildId, userId } = context.actor;
  const changes: string[] = [];
  if (revoke !== undefined) {
    if (!(await revokeToken(tx, context, guildId, revoke)))
      throw new AppError("not_found", "There is no such API token in this server.");
    changes.push(`revoked the API token ${revoke}`);
  }
  const created = wanted && (await createToken(tx, context, wanted));
  if (wanted) {
    const { name, capabilities, life } = wanted;
    changes.push(
      `created the API token ${name} (${capabilities.join(", ")}) for ${formatExactDuration(life)}`,
    );
  }
  for (const what of changes)
    await announceSetupChange(context, tx, { guildId, kind: "tokens", userId, what });
  return created;
}

function describeCreated({ name }: WantedToken, token: string): string[] {
  return [
    `**Created ${inlineCode(name)}. Copy it now, because it is shown only this once:**`,
    codeBlock(token, 200),
    "Anyone who has it can act in your name. Keep it out of chats and repositories.",
  ];
}

async function showTokens(context: CommandContext, said: readonly string[]): Promise<View> {
  const { database, clock, actor } = context;
  const found = await listTokens(database.query, actor.guildId, clock.now());
  const lines = found.map(({ name, capabilities, createdBy, expiresAtMs, usedAtMs }) => {
    const used = usedAtMs === null ? "never used" : `last used ${describeTime(usedAtMs / 1000)}`;
    return `- ${inlineCode(name)} of <@${createdBy}>: ${capabilities.join(", ")} · ends ${describeTime(expiresAtMs / 1000)} · ${used}`;
  });
  const description = [
    ...said,
    ...(said.length > 0 ? [""] : []),
    ...(lines.length > 0 ? lines : ["No API token yet. Create one with `add` and `may`."]),
    "",
    "A token acts in its creator's name, and never does more than its creator may at that moment.",
  ];
  return textView("plain", description, { title: "API tokens" });
}

import { AppError, asAppError } from "../../errors.ts";
import { createDiscordReader, inviteLink } from "../../start/doctor/discord-rest.ts";
import type { Answers } from "./answers.ts";

const explain = `DISCORD
Castellan acts in Discord as your bot. Create one at https://discord.com/developers/applications: New Application, then
Bot, then Reset Token. It needs no privileged intents. The token is a password: it is not shown while you paste it.`;

interface DiscordAnswers {
  DISCORD_TOKEN: string;
  DISCORD_APPLICATION: string;
}

/** Asks for the token, checks it at Discord, and prints how to add the bot to a server. Throws `invalid_configuration`. */
export async function answerDiscord(
  answers: Answers,
  {
    api,
    application,
    anyApplication,
  }: { api: string; application: string | undefined; anyApplication: boolean },
): Promise<DiscordAnswers> {
  const found = { id: "", name: "" };
  const check = async (token: string) => {
    try {
      Object.assign(found, await createDiscordReader({ token, api }).application());
      return undefined;
    } catch (error) {
      const known = asAppError(error, "invalid_configuration");
      if (known) return `is rejected by Discord. Copy the bot's token again from Discord's developer portal`;
      throw error;
    }
  };
  const DISCORD_TOKEN = await answers.text({
    name: "DISCORD_TOKEN",
    option: "discord-token-file",
    question: "Discord bot token (hidden)",
    explain,
    hidden: true,
    check,
  });
  await requireSame(answers, found, application, anyApplication);
  answers.say(`
Discord accepts the token. It belongs to ${found.name} (application ${found.id}).
Server managers add the bot with this link (scopes bot and applications.commands; permissions View Channel, Send
Messages, Send Messages in Threads, Embed Links, Read Message History):

  ${inviteLink(found.id)}`);
  return { DISCORD_TOKEN, DISCORD_APPLICATION: found.id };
}

/** Another application does not take over the servers, commands and messages of the previous one. */
async function requireSame(
  { terminal, say }: Answers,
  found: { id: string; name: string },
  before: string | undefined,
  anyApplication: boolean,
): Promise<void> {
  if (before === undefined || before === found.id || anyApplication) return;
  const what = `This token belongs to another application, ${found.name} (${found.id}), not to the previous one (${before}). Servers have to add the new bot, and links and feeds continue only there.`;
  if (!terminal) {
    throw new AppError("invalid_configuration", `${what} If this is intended, pass --other-application.`);
  }
  say(`\n${what}`);
  if (/^y(es)?$/i.test(await terminal.ask("Continue with the new one? [y/N]: "))) return;
  throw new AppError(
    "invalid_configuration",
    "Nothing was changed. Run castellan setup again with the old token.",
  );
}

import { AppError, asAppError } from "../../errors.ts";
import { createDiscordReader, inviteLink } from "../../start/doctor/discord-rest.ts";
import type { Answers } from "./answers.ts";

const explain = `DISCORD
Castellan acts in Discord as a bot of yours. Make one at https://discord.com/developers/applications: New Application, then
Bot, then Reset Token. It needs no privileged intents. The token is a password: it is not shown while you paste it.`;

interface DiscordAnswers {
  DISCORD_TOKEN: string;
  DISCORD_APPLICATION: string;
}

/** Asks for the token, tries it at Discord, and says how the bot is let into a server. Throws `invalid_configuration`. */
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
Discord knows the token: it is ${found.name}'s (application ${found.id}).
Who manages a server lets the bot in with this link (scopes bot and applications.commands; permissions View Channel, Send
Messages, Send Messages in Threads, Embed Links, Read Message History):

  ${inviteLink(found.id)}`);
  return { DISCORD_TOKEN, DISCORD_APPLICATION: found.id };
}

/** The servers, commands and messages of another application stay with it. */
async function requireSame(
  { terminal, say }: Answers,
  found: { id: string; name: string },
  before: string | undefined,
  anyApplication: boolean,
): Promise<void> {
  if (before === undefined || before === found.id || anyApplication) return;
  const what = `This token is of another application, ${found.name} (${found.id}), than before (${before}). Its servers have to let the new one in, and links and feeds go on there only.`;
  if (!terminal) {
    throw new AppError("invalid_configuration", `${what} If you want that, give --other-application.`);
  }
  say(`\n${what}`);
  if (/^y(es)?$/i.test(await terminal.ask("Go on with the new one? [y/N]: "))) return;
  throw new AppError(
    "invalid_configuration",
    "Nothing was changed. Run castellan setup again with the token of the old one.",
  );
}

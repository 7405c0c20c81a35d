// @ts-nocheck
import {
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayIntentBits,
  RESTEvents,
} from "discord.js";
import { AppError } from "../errors.ts";
import { deployCommands } from "./deploy.ts";
import { dispatch, type DispatchContext } from "./dispatch.ts";

export interface DiscordSettings {
  token: string;
  /** Base address of Discord's REST API, without version: "https://discord.com/api". */
  api: string;
  /** Discord does not accept us any more. The process should end, so that a supervisor starts it anew. */
  onRefused: (error: AppError) => void;
}

export interface DiscordConnection {
  client: Client<true>;
  close(): Promise<void>;
}

/** How long the gateway may take to let us in, in milliseconds. */
const readyWithin = 60_000;

/** Logs in, deploys the commands when they changed, and answers from then on. Throws `invalid_configuration`. */
export async function connectDiscord(
  context: DispatchContext,
  settings: DiscordSettings,
): Promise<DiscordConnection> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    rest: { api: settings.api, version: "10" },
  });
  const running = new Set<Promise<void>>();
  client.on(Events.Error, (error) => context.log.error({ err: error }, "the gateway reported an error"));
  client.on(Events.InteractionCreate, (interaction) => {
    const done = dispatch(context, interaction).finally(() => running.delete(done));
    running.add(done);
  });
  const ready = await login(client, settings.token);
  watchRefusal(ready, settings);
  await deployCommands(context, ready, context.commands);
  context.log.info({ user: ready.user.tag, guilds: ready.guilds.cache.size }, "connected to Discord");
  return {
    client: ready,
    async close() {
      client.removeAllListeners(Events.InteractionCreate);
      await Promise.allSettled(running);
      await client.destroy();
    },
  };
}

async function login(client: Client, token: string): Promise<Client<true>> {
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  const { promise: late, cancel } = rejectAfter(readyWithin);
  try {
    return await Promise.race([client.login(token).then(() => ready), late]);
  } catch (error) {
    await client.destroy();
    throw explainLogin(error);
  } finally {
    cancel();
  }
}

function rejectAfter(time: number): { promise: Promise<never>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new AppError("discord_unreachable", "Discord's gateway did not let Castellan in within a minute."),
        ),
      time,
    );
  });
  return { promise, cancel: () => clearTimeout(timer) };
}

function explainLogin(error: unknown): unknown {
  const code = error instanceof DiscordjsError ? error.code : undefined;
  const words = error instanceof Error ? error.message : "";
  if (code === DiscordjsErrorCodes.TokenInvalid || /token/i.test(words)) {
    return new AppError(
      "invalid_configuration",
      "Discord refuses DISCORD_TOKEN. Copy the bot's token anew from Discord's developer portal.",
      { cause: error },
    );
  }
  if (/intents/i.test(words)) {
    return new AppError(
      "invalid_configuration",
      "Discord does not allow the intents that Castellan asks for. Check the bot in Discord's developer portal.",
      { cause: error },
    );
  }
  if (error instanceof AppError) return error;
  return new AppError("discord_unreachable", `Discord cannot be reached: ${words}`, { cause: error });
}

/** One refused token makes discord.js forget it for good, so going on would be silence. */
function watchRefusal(client: Client<true>, { onRefused }: DiscordSettings): void {
  let told = false;
  const tell = (cause?: unknown) => {
    if (told) return;
    told = true;
    const message =
      "Discord does not accept the bot's token any more. Castellan ends, to be started with a new one.";
    onRefused(new AppError("invalid_configuration", message, { cause }));
  };
  client.rest.on(RESTEvents.Response, ({ path }, { status }) => {
    // Interaction and webhook routes carry tokens of their own.
    if (status === 401 && !/^\/(interactions|webhooks)\//.test(path)) tell();
  });
  client.on(Events.Invalidated, () => tell());
}

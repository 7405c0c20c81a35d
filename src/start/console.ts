import { createConsole } from "../console/create-console.ts";
import { callbackPath } from "../console/sign-in.ts";
import type { DiscordContext } from "../discord/command-context.ts";
import type { Members } from "../discord/members.ts";
import { explainListening, nearOriginOf, requireListenable } from "../listening.ts";
import { authorizePath } from "../sandbox/discord/oauth/grants.ts";
import { isTraced } from "../spans.ts";
import { reportRequests } from "../web/report-requests.ts";
import { consolePlace } from "./console-place.ts";
import type { Resource } from "./resources.ts";
import type { RunningSandbox } from "./sandbox.ts";
import type { StartContext } from "./start-context.ts";

/** Opens the console on a connected bot and returns its address. Throws `invalid_configuration` if it cannot listen. */
export async function openConsole(
  { config, log, metrics }: StartContext,
  context: DiscordContext,
  members: Members,
  sandbox: RunningSandbox | undefined,
): Promise<Resource & { address: string }> {
  const configured = consolePlace(config);
  // Its own address is part of its requests to Discord, so it is needed before it listens.
  const place = { ...configured, port: await requireListenable(configured) };
  const origin = config.CONSOLE_URL ? new URL(config.CONSOLE_URL).origin : nearOriginOf(place);
  sandbox?.discord.context.grants.redirectUris.add(`${origin}${callbackPath}`);
  const parts = {
    context,
    members,
    origin,
    trustedProxies: config.TRUSTED_PROXIES ?? [],
    application: {
      id: config.DISCORD_APPLICATION ?? members.applicationId,
      secret: sandbox?.clientSecret ?? config.DISCORD_CLIENT_SECRET ?? "",
      api: sandbox?.discord.api ?? config.DISCORD_API,
    },
    authorizeUrl: sandbox ? `${sandbox.discord.origin}${authorizePath}` : discordsPage,
  };
  const server = createConsole(parts, log);
  if (metrics || isTraced()) reportRequests(server, "console");
  await server.listen({ host: place.host, port: place.port }).catch((cause: unknown) => {
    throw explainListening(cause, place);
  });
  const address = `${origin}/console`;
  context.settings.consoleUrl = address;
  return { address, close: () => server.close() };
}

const discordsPage = "https://discord.com/oauth2/authorize";

import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { unknown } from "../discord-error.ts";
import { guildPayload, userPayload } from "../payloads/guild.ts";
import { botIsIn } from "../world/permissions.ts";
import type { Guild, World } from "../world/world.ts";

/** The bot's account, and its gateway's address. */
export function addApplicationRoutes(api: FastifyInstance, context: Context): void {
  const { world, gateway } = context;
  const gatewayUrl = () => context.origin.replace(/^http/, "ws");
  api.get("/gateway", async () => ({ url: gatewayUrl() }));
  api.get("/gateway/bot", async () => ({
    url: gatewayUrl(),
    shards: gateway.shards,
    session_start_limit: {
      total: 1000,
      remaining: gateway.sessionStarts.remaining,
      reset_after: gateway.sessionStarts.resetAfter,
      // Discord gives 1 to all but the largest bots. With 1, each shard would wait five seconds for the previous one.
      max_concurrency: gateway.shards,
    },
  }));
  api.get("/applications/@me", async () => applicationPayload(world));
  api.get("/oauth2/applications/@me", async () => applicationPayload(world));
  api.get("/users/@me", async () => ({
    ...userPayload(findUser(world, world.applicationId)),
    locale: "en-US",
    mfa_enabled: true,
  }));
  api.get("/users/@me/guilds", async () =>
    joinedGuilds(world).map((guild) => ({ ...guildPayload(guild), owner: false, permissions: "0" })),
  );
  api.get<{ Params: { user: string } }>("/users/:user", async ({ params }) =>
    userPayload(findUser(world, params.user)),
  );
}

function findUser({ users }: World, id: string) {
  const user = users.get(id);
  if (!user) throw unknown("User");
  return user;
}

function joinedGuilds(world: World): Guild[] {
  return [...world.guilds.values()].filter(({ id }) => botIsIn(world, id));
}

function applicationPayload(world: World) {
  const bot = world.users.get(world.applicationId);
  return {
    id: world.applicationId,
    name: bot?.displayName ?? "",
    icon: null,
    description: "",
    summary: "",
    type: null,
    bot: bot && userPayload(bot),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    team: null,
    flags: 0,
    hook: true,
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    approximate_guild_count: joinedGuilds(world).length,
    approximate_user_install_count: 0,
  };
}

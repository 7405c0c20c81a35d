import type { Context } from "../../context.ts";
import { guildPayload } from "../../payloads/guild.ts";
import { userPayload } from "../../payloads/user.ts";
import { unknown } from "../../discord-error.ts";
import { botIsIn } from "../../world/permissions.ts";
import type { Guild, World } from "../../world/world.ts";
import { ok } from "../exchange.ts";
import { route } from "../route.ts";

function gatewayUrl({ origin }: Context): string {
  return origin().replace(/^http/, "ws");
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

/** The bot's account, and where its gateway is. */
export const applicationRoutes = [
  route("GET", "/gateway", (context) => ok({ url: gatewayUrl(context) })),
  route("GET", "/gateway/bot", (context) =>
    ok({
      url: gatewayUrl(context),
      shards: context.gateway.shards,
      session_start_limit: {
        total: 1000,
        remaining: context.gateway.sessionStarts.remaining,
        reset_after: context.gateway.sessionStarts.resetAfter,
        // Discord gives 1 to all but the largest bots: with it, each shard would wait five seconds for the one before.
        max_concurrency: context.gateway.shards,
      },
    }),
  ),
  route("GET", "/applications/@me", ({ world }) => ok(applicationPayload(world))),
  route("GET", "/oauth2/applications/@me", ({ world }) => ok(applicationPayload(world))),
  route("GET", "/users/@me", ({ world }) => {
    const bot = world.users.get(world.applicationId);
    if (!bot) throw unknown("User");
    return ok({ ...userPayload(bot), locale: "en-US", mfa_enabled: true });
  }),
  route("GET", "/users/@me/guilds", ({ world }) =>
    ok(joinedGuilds(world).map((guild) => ({ ...guildPayload(guild), owner: false, permissions: "0" }))),
  ),
  route("GET", "/users/:user", ({ world }, { parameters }) => {
    const user = world.users.get(parameters.user);
    if (!user) throw unknown("User");
    return ok(userPayload(user));
  }),
];

import { randomBytes } from "node:crypto";
import type { InteractionType } from "discord-api-types/v10";
import { DiscordError } from "../discord-error.ts";
import type { Choice } from "../shapes/command.ts";
import type { Modal } from "../shapes/interaction.ts";
import type { State } from "../state.ts";
import type { Message } from "../world/world.ts";

/** The bot's answer to an interaction. */
export type Outcome =
  | { kind: "message"; message: Message }
  | { kind: "updated"; message: Message }
  | { kind: "deferred_update" }
  | { kind: "choices"; choices: Choice[] }
  | { kind: "modal"; modal: Modal }
  | { kind: "failed" };

export interface Interaction {
  id: string;
  token: string;
  type: InteractionType;
  userId: string;
  roomId: string;
  guildId: string | null;
  /** The command's full name, such as "feed add"; null for components and modals. */
  name: string | null;
  /** The message whose component was used, or from which the modal was opened. */
  source: Message | null;
  /** For a submitted form, the interaction that the bot answered with it; otherwise null. */
  opener: Interaction | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  acknowledged: boolean;
  /** The message that "@original" refers to. */
  originalId: string | null;
  outcome: Promise<Outcome>;
  settle: (outcome: Outcome) => void;
}

export interface InteractionSettings {
  /** Milliseconds within which the bot must acknowledge. */
  acknowledgeWithin: number;
  /** Milliseconds for which the token is valid. */
  tokenLife: number;
}

type Opening = Pick<Interaction, "type" | "userId" | "roomId" | "guildId" | "name" | "source" | "opener">;

export type Interactions = ReturnType<typeof createInteractions>;

export function createInteractions(state: State, settings: InteractionSettings) {
  const byToken = new Map<string, Interaction>();
  const timers = new Set<NodeJS.Timeout>();

  function expire(interaction: Interaction): void {
    if (interaction.acknowledged) return;
    interaction.settle({ kind: "failed" });
    const { userId, id } = interaction;
    state.happened.emit({ kind: "interaction", userId, interactionId: id, state: "failed" });
  }

  function forgetOld(): void {
    const oldest = state.clock.now() - 2 * settings.tokenLife;
    for (const [token, interaction] of byToken) {
      if (interaction.createdAt >= oldest) return;
      byToken.delete(token);
    }
  }

  return {
    open(opening: Opening): Interaction {
      forgetOld();
      let settle: Interaction["settle"] = () => {};
      const outcome = new Promise<Outcome>((resolve) => {
        settle = resolve;
      });
      const interaction: Interaction = {
        ...opening,
        id: state.nextId(),
        token: randomBytes(48).toString("base64url"),
        createdAt: state.clock.now(),
        acknowledged: false,
        originalId: null,
        outcome,
        settle,
      };
      byToken.set(interaction.token, interaction);
      const timer = setTimeout(() => {
        timers.delete(timer);
        expire(interaction);
      }, settings.acknowledgeWithin).unref();
      timers.add(timer);
      return interaction;
    },
    /** The interaction of a callback. Throws 10062 if it is too late or unknown, 40060 if it was already answered. */
    claim(id: string, token: string): Interaction {
      const interaction = byToken.get(token);
      const age = state.clock.now() - (interaction?.createdAt ?? 0);
      if (interaction?.id === id && interaction.acknowledged) throw alreadyAcknowledged();
      if (interaction?.id !== id || age > settings.acknowledgeWithin) throw unknownInteraction();
      return interaction;
    },
    /** The acknowledged interaction of a webhook token. Throws 50027 after it expires. */
    byToken(token: string): Interaction {
      const interaction = byToken.get(token);
      if (!interaction) throw unknownWebhook();
      if (state.clock.now() - interaction.createdAt > settings.tokenLife) {
        throw new DiscordError(401, 50027, "Invalid Webhook Token", { violation: true });
      }
      if (!interaction.acknowledged) throw unknownWebhook();
      return interaction;
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function unknownInteraction(): DiscordError {
  return new DiscordError(404, 10062, "Unknown interaction", { violation: true });
}

function alreadyAcknowledged(): DiscordError {
  return new DiscordError(400, 40060, "Interaction has already been acknowledged.", { violation: true });
}

function unknownWebhook(): DiscordError {
  return new DiscordError(404, 10015, "Unknown Webhook", { violation: true });
}

// @ts-nocheck
import type { Modal } from "./shapes/modal.ts";
import type { Message } from "./world/world.ts";

/** Something that people in the rooms see. */
export type RoomEvent =
  | { kind: "message"; message: Message }
  | { kind: "message_removed"; roomId: string; messageId: string; visibleTo: string | null }
  | { kind: "interaction"; userId: string; interactionId: string; state: InteractionState }
  | { kind: "modal"; userId: string; interactionId: string; roomId: string; modal: Modal }
  | { kind: "typing"; roomId: string; userId: string }
  | { kind: "rooms" }
  | { kind: "commands" }
  | { kind: "presence"; online: boolean };

/** "failed": nobody acknowledged in time, and the person reads "The application did not respond". */
export type InteractionState = "sent" | "answered" | "failed";

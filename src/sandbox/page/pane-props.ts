import type { ChatPerson } from "../chat-pane/chat-view.ts";

export interface PaneProps {
  /** The person you act as. */
  acting: ChatPerson;
  onBe: (userId: string) => void;
  /** The network's channel that is shown. */
  channelId: string;
  onChannel: (channelId: string) => void;
}

import { ChatPane } from "/page/chat/chat-pane.js";

/**
 * The panes of the page, from left to right. Each gets `acting`, the person whom one is at the moment
 * ({id, username, displayName, roles}), and `people`, everyone whom one can be.
 */
export const panes = [{ id: "chat", title: "Chat", Pane: ChatPane }];

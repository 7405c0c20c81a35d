// @ts-nocheck
import type { ServerResponse } from "node:http";
import type { Context } from "../discord/context.ts";
import type { RoomEvent } from "../discord/room-event.ts";
import type { PageStream } from "../page-route.ts";
import { messageView } from "./chat-view.ts";

/** How often an idle stream shows that it lives, in milliseconds. */
const pulse = 20_000;

/** What happens in the rooms, as one person sees it, for as long as their page is open. */
export function chatEvents(context: Context): PageStream {
  return {
    path: "/chat/events",
    open(request, response, query) {
      const userId = query.get("user") ?? "";
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("retry: 1000\n\n");
      const stop = context.happened.listen((event) => {
        if (concerns(event, userId)) sendEvent(response, event.kind, eventView(context, event));
      });
      const timer = setInterval(() => response.write(": alive\n\n"), pulse).unref();
      request.on("close", () => {
        stop();
        clearInterval(timer);
      });
    },
  };
}

function concerns(event: RoomEvent, userId: string): boolean {
  if (event.kind === "message") return event.message.visibleTo === null || event.message.visibleTo === userId;
  if (event.kind === "message_removed") return event.visibleTo === null || event.visibleTo === userId;
  return event.kind === "interaction" || event.kind === "modal" ? event.userId === userId : true;
}

function eventView(context: Context, event: RoomEvent): unknown {
  return event.kind === "message" ? messageView(context, event.message) : event;
}

function sendEvent(response: ServerResponse, name: string, data: unknown): void {
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

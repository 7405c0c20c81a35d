import type { BotContext } from "../../src/bot-context.ts";
import { deliverNext, findDueRooms, serveRoom } from "../../src/feed/deliver/deliver.ts";
import type { Rooms } from "../../src/feed/rooms.ts";

/** Sends a room what waits for it. */
export async function deliver(context: BotContext, rooms: Rooms, roomId: string): Promise<void> {
  while ((await deliverNext(context, rooms, roomId)) !== undefined);
}

/** Serves each room that has something waiting now, as jobs would. */
export async function deliverAll(context: BotContext, rooms: Rooms): Promise<void> {
  const due = await findDueRooms(context, 500).execute(context.database.query);
  for (const { id } of due.rows) while ((await serveRoom(context, rooms, id)) !== undefined);
}

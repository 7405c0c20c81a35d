// @ts-nocheck
import { z } from "zod";
import { unknown } from "../../discord-error.ts";
import { roomPayload } from "../../payloads/guild.ts";
import { parseForm } from "../../shapes/parse-form.ts";
import { noContent, ok } from "../exchange.ts";
import { route } from "../route.ts";
import { findRoom } from "./find-room.ts";

const DirectRoomBody = z.object({ recipient_id: z.string() });

/** Rooms, also direct ones with a person. */
export const channelRoutes = [
  route("GET", "/channels/:room", (context, { parameters }) =>
    ok(roomPayload(context.world, findRoom(context, parameters.room))),
  ),
  route("POST", "/channels/:room/typing", (context, { parameters }) => {
    const room = findRoom(context, parameters.room, "sendMessages");
    context.happened.tell({ kind: "typing", roomId: room.id, userId: context.world.applicationId });
    return noContent;
  }),
  route("POST", "/users/@me/channels", (context, { body }) => {
    const { world } = context;
    const { recipient_id: recipientId } = parseForm(DirectRoomBody, body);
    const user = world.users.get(recipientId);
    if (!user || user.bot) throw unknown("User");
    const known = [...world.rooms.values()].find((room) => room.recipientId === recipientId);
    if (known) return ok(roomPayload(world, known));
    const fields = { name: user.username, topic: "", position: 0, botDenied: "0" };
    const room = { id: context.nextId(), guildId: null, recipientId, ...fields };
    context.record({ kind: "room", room });
    context.happened.tell({ kind: "rooms" });
    return ok(roomPayload(world, room));
  }),
];

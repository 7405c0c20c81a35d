import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { actAs, PaneAction } from "./act.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";
import { readChannelView, readOverview, readStanding } from "./read-view.ts";

const Act = z.object({ fid: z.int(), action: PaneAction });
const Looking = z.object({ fid: z.coerce.number<string>() });
const LookingAtChannel = Looking.extend({ channelId: z.string() });

/** The requests of the page's network pane. */
export function addNetworkRoutes(server: FastifyInstance, pane: NetworkPane): void {
  server.get("/network/people", async () =>
    pane.people.map(({ fid, name, userId, account }) => ({ fid, name, userId, acts: Boolean(account) })),
  );
  server.get("/network/overview", async ({ query }) =>
    readOverview(pane, findPerson(pane, Looking.parse(query).fid)),
  );
  server.get("/network/channel", async ({ query }) => {
    const { fid, channelId } = LookingAtChannel.parse(query);
    return readChannelView(pane, findPerson(pane, fid), channelId);
  });
  server.get("/network/standing", async ({ query }) => {
    const { fid, channelId } = LookingAtChannel.parse(query);
    return readStanding(pane, findPerson(pane, fid), channelId);
  });
  server.post("/network/act", async ({ body }) => {
    const { fid, action } = Act.parse(body);
    await actAs(pane, findPerson(pane, fid), action);
  });
}

function findPerson(pane: NetworkPane, fid: number): PanePerson {
  const person = pane.people.find((person) => person.fid === fid);
  if (person) return person;
  throw new AppError("not_found", `Nobody in the sandbox has the fid ${fid}.`);
}

import { z } from "zod";
import { AppError } from "../../errors.ts";
import { pageGet, pagePost, type PageRoute } from "../page-route.ts";
import { actAs, PaneAction } from "./act.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";
import { readChannelView, readOverview } from "./read-view.ts";

const Act = z.object({ fid: z.int(), action: PaneAction });
const Looking = z.object({ fid: z.coerce.number<string>() });
const LookingAtChannel = Looking.extend({ channelId: z.string() });

/** What the network pane of the page asks. */
export function networkRoutes(pane: NetworkPane): PageRoute[] {
  return [
    pageGet("/network/people", () =>
      pane.people.map(({ fid, name, userId, account }) => ({ fid, name, userId, acts: Boolean(account) })),
    ),
    pageGet("/network/overview", (query) => {
      const { fid } = Looking.parse(Object.fromEntries(query));
      return readOverview(pane, findPerson(pane, fid));
    }),
    pageGet("/network/channel", (query) => {
      const { fid, channelId } = LookingAtChannel.parse(Object.fromEntries(query));
      return readChannelView(pane, findPerson(pane, fid), channelId);
    }),
    pagePost("/network/act", Act, ({ fid, action }) => actAs(pane, findPerson(pane, fid), action)),
  ];
}

function findPerson(pane: NetworkPane, fid: number): PanePerson {
  const person = pane.people.find((person) => person.fid === fid);
  if (person) return person;
  throw new AppError("not_found", `Nobody of the sandbox has the fid ${fid}.`);
}

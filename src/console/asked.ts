import { z } from "zod";

/** Below which all is asked of one server. */
export const ServerPath = "/console/api/servers/:server";

/** A query may name something twice: then the first counts. */
export const Query = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform(([first = ""]) => first)]),
);

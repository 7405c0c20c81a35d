import { z } from "zod";

/** The path of all requests about one server. */
export const ServerPath = "/console/api/servers/:server";

/** Text typed by a person. Pages send no NUL characters, and the database cannot store them. */
export const Written = z.string().refine((text) => !text.includes("\0"), "contains an invalid character");

/** If a query contains a name twice, the first value counts. */
export const Query = z.record(
  z.string(),
  z.union([Written, z.array(Written).transform(([first = ""]) => first)]),
);
export type Requested = Readonly<z.infer<typeof Query>>;

import { z } from "zod";

/** Below which all is asked of one server. */
export const ServerPath = "/console/api/servers/:server";

/** What somebody wrote. NUL characters, which no page sends, no database keeps. */
export const Written = z
  .string()
  .refine((text) => !text.includes("\0"), "holds a character that no text has");

/** A query may name something twice: then the first counts. */
export const Query = z.record(
  z.string(),
  z.union([Written, z.array(Written).transform(([first = ""]) => first)]),
);

import { z } from "zod";
import { mostTold } from "./mistakes.ts";
import { createPace } from "./pace.ts";

/** Where an issue says how many mistakes it stands for. */
const untold = "untoldMistakes";

/**
 * An array inside of a record, which may be as long as the file: others have the event loop meanwhile, and mistakes that
 * nobody will be told are only counted. For `parseAsync`; lists in lists are not read so.
 */
export function list<T extends z.ZodType>(element: T, most = Infinity) {
  return z
    .custom<readonly unknown[]>(Array.isArray, "Invalid input: expected array")
    .refine((values) => values.length <= most, { message: `Too big: expected at most ${most}`, abort: true })
    .transform(async (values, context): Promise<z.output<T>[]> => {
      const records: z.output<T>[] = [];
      const pace = createPace();
      let more = 0;
      for (const [index, value] of values.entries()) {
        const parsed = element.safeParse(value);
        if (parsed.success) records.push(parsed.data);
        else {
          for (const { path, message } of parsed.error.issues) {
            if (context.issues.length >= mostTold) more += 1;
            else context.issues.push({ code: "custom", message, path: [index, ...path], input: value });
          }
        }
        await pace();
      }
      if (more > 0) context.issues.push({ code: "custom", params: { [untold]: more }, input: values });
      return records;
    });
}

/** How many mistakes of a list an issue stands for, beyond those that have an issue each. */
export function untoldIn(issue: z.core.$ZodIssue): number {
  return issue.code === "custom" ? Number(issue.params?.[untold] ?? 0) : 0;
}

import { z } from "zod";
import { AppError, asAppError } from "../errors.ts";
import type { Health, TaskName } from "./health.ts";

/** Discord's id of a server. */
export const ServerId = z.string().regex(/^[0-9]{1,20}$/);

/** Serves a task of the operator's commands. */
export function offerTask<Shape extends z.ZodRawShape>(
  health: Health,
  name: TaskName,
  Body: z.ZodObject<Shape>,
  run: (body: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
): void {
  health.tasks[name] = async (body) => {
    const { success, data } = Body.safeParse(body);
    if (!success) {
      const fields = Object.keys(Body.shape).join(", ");
      throw new AppError("invalid_request", `The body must be {${fields}}.`);
    }
    try {
      return await run(data);
    } catch (error) {
      // A fault of the file or the server, not of the request.
      const refused = asAppError(error);
      if (!refused) throw error;
      return { refused: refused.message, code: refused.code, mistakes: refused.mistakes };
    }
  };
}

// @ts-nocheck
import { z } from "zod";
import type { Endpoint, Paging, ParsedInputOf } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";

const PageFields = z.object({
  limit: z
    .union([
      z.int().min(1),
      z
        .string()
        .regex(/^[1-9][0-9]{0,8}$/)
        .transform(Number),
    ])
    .optional(),
  cursor: z.string().min(1).max(1024).optional(),
});

/** Parses what a caller sent against the endpoint's schema; `invalid_request` names the first wrong field. */
export function parseInput(endpoint: Endpoint, input: unknown): ParsedInputOf<Endpoint> {
  const parsed = endpoint.input.safeParse(input ?? {});
  if (!parsed.success) throw describeIssue(parsed.error.issues[0], endpoint);
  if (!endpoint.paginated) return parsed.data;
  return { ...parsed.data, ...parsePage(endpoint, endpoint.paginated, input) };
}

function parsePage(endpoint: Endpoint, paging: Paging, input: unknown): { limit: number; cursor?: string } {
  const page = PageFields.safeParse(input ?? {});
  if (!page.success) {
    const issue = page.error.issues[0];
    if (issue?.path[0] === "cursor") {
      throw new AppError("invalid_cursor", "The cursor is not one that this endpoint gave.", {
        instancePath: "/cursor",
      });
    }
    throw describeIssue(issue, endpoint);
  }
  const { limit = paging.default, cursor } = page.data;
  return { limit: Math.min(limit, paging.max), ...(cursor === undefined ? {} : { cursor }) };
}

function describeIssue(issue: z.core.$ZodIssue | undefined, endpoint: Endpoint): AppError {
  const path = (issue?.path ?? []).map(String);
  const field = path.length > 0 ? path.join(".") : endpoint.carrier;
  return new AppError("invalid_request", `${field}: ${issue?.message ?? "is not valid"}`, {
    instancePath: `/${path.join("/")}`,
  });
}

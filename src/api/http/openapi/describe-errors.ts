import type { Endpoint, Interface } from "../../../contract/endpoint.ts";
import type { Refusal } from "../../../errors.ts";

/** Every error that a call to this endpoint can return. */
export function refusalsOf({ auth, method, carrier, paginated, refusals }: Endpoint): Refusal[] {
  return [
    ...new Set<Refusal>([
      "invalid_request",
      ...(paginated ? (["invalid_cursor"] as const) : []),
      ...(auth === "none" ? [] : (["invalid_auth_token"] as const)),
      ...(method !== "GET" && carrier === "body" ? (["too_large"] as const) : []),
      ...refusals,
      "rate_limited",
      "not_ready",
    ]),
  ];
}

const mistake = {
  message: { type: "string" },
  reason: { type: "string" },
  instancePath: { type: "string" },
};

function describeMistakes(properties: object): object {
  const items = { type: "object", required: ["message", "reason"], properties };
  return { type: "object", required: ["errors"], properties: { errors: { type: "array", items } } };
}

/** The error format of each interface. */
export const errorSchemas: Record<Interface, object> = {
  client: describeMistakes(mistake),
  registry: {
    type: "object",
    required: ["error"],
    properties: {
      error: { type: "string" },
      code: { type: "string" },
      message: { type: "string" },
    },
  },
  hub: {
    type: "object",
    required: ["error", "error_detail"],
    properties: { error: { type: "string" }, error_detail: { type: "string" } },
  },
  operator: describeMistakes({
    ...mistake,
    count: {
      type: "integer",
      description: "How many of a file's mistakes are of this kind, if not all are listed",
    },
  }),
};

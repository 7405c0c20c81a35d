// @ts-nocheck
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { usualPaging } from "./values.ts";

export const Action = z.object({
  name: z.string(),
  icon: z.string().describe("Icon name from an open icon set"),
  description: z.string(),
  aboutUrl: z.string(),
  actionUrl: z.string().describe("Metadata that clients fetch with GET"),
  action: z.object({
    actionType: z.literal("post"),
    postUrl: z.string().describe("Where clients POST signed messages"),
  }),
});
export type Action = z.infer<typeof Action>;

export const ComposerAction = Action.extend({ imageUrl: z.string() });
export type ComposerAction = z.infer<typeof ComposerAction>;

export const discoverActions = {
  list: endpoint({
    method: "GET",
    path: "/v2/discover-actions",
    paginated: usualPaging,
    summary: "Actions on casts, most users first",
    input: z.object({ list: z.literal("top") }),
    result: z.object({ actions: z.array(Action) }),
  }),
};

export const discoverComposerActions = {
  list: endpoint({
    method: "GET",
    path: "/v2/discover-composer-actions",
    paginated: usualPaging,
    summary: "Composer actions: top, most users first, or featured, as curated",
    input: z.object({ list: z.enum(["top", "featured"]) }),
    result: z.object({ actions: z.array(ComposerAction) }),
  }),
};

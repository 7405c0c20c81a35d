import type { ActionKind } from "../action.ts";
import { ban } from "./ban.ts";
import { hide } from "./hide.ts";

/** What rules can do. */
export const actionKinds: readonly ActionKind[] = [hide, ban];

import type { ConditionKind } from "../condition.ts";
import { authorIsMember } from "./author-is-member.ts";
import { history } from "./history.ts";
import { name } from "./name.ts";
import { text } from "./text.ts";

/** What rules can ask. */
export const conditionKinds: readonly ConditionKind[] = [name, text, history, authorIsMember];

import type { Action } from "./action.ts";

/** An action that waits for a person. */
export interface HeldAction {
  actionIndex: number;
  sentence: string;
  action: Action;
}

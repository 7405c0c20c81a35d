import type { Action } from "./action.ts";

/** An action that waits for a person. */
export interface HeldAction {
  actionIndex: number;
  sentence: string;
  action: Action;
}

/** Held actions as the store has them: by their earlier name. */
export function packActions(actions: readonly HeldAction[]): string {
  return JSON.stringify(actions.map(({ action: deed, ...rest }) => ({ ...rest, deed })));
}

export function readActions(stored: string): HeldAction[] {
  const actions = JSON.parse(stored) as (Omit<HeldAction, "action"> & { deed: Action })[]; // written by packActions
  return actions.map(({ deed: action, ...rest }) => ({ ...rest, action }));
}

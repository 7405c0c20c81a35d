// @ts-nocheck
import { endpointPlaces } from "./endpoints.ts";
import type { Place } from "./place.ts";
import { recordPlaces } from "./records.ts";
import { rulePlaces } from "./rules.ts";
import { statePlaces } from "./states.ts";

/** Every sentence and table row of interface.md that says what a server does, in its order. */
export const places: Place[] = [...recordPlaces, ...statePlaces, ...endpointPlaces, ...rulePlaces];

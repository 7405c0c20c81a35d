// @ts-nocheck
import type { ChannelEventOf, EventKind } from "../../observe/event.ts";
import type { Facts } from "./facts.ts";
import type { Told } from "./words.ts";

export type Renderer<K extends EventKind> = (event: ChannelEventOf<K>, facts: Facts) => Told;

export type Renderers<K extends EventKind> = { [Kind in K]: Renderer<Kind> };

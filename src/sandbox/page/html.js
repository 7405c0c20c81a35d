import htm from "/modules/htm.js";
import { h } from "/modules/preact.js";

export const html = htm.bind(h);

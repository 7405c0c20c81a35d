// @ts-nocheck
import type { Command } from "../src/discord/command.ts";
import { automod } from "./automod/index.ts";
import { ban } from "./ban/index.ts";
import { caseCommand } from "./case/index.ts";
import { channel } from "./channel/index.ts";
import { feed } from "./feed/index.ts";
import { createHelp } from "./help.ts";
import { hide } from "./hide.ts";
import { invite } from "./invite/index.ts";
import { pin } from "./pin/index.ts";
import { review } from "./review/index.ts";
import { rule } from "./rule/index.ts";
import { status } from "./status.ts";
import { unhide } from "./unhide.ts";

const explained: readonly Command[] = [
  channel,
  invite,
  ban,
  hide,
  unhide,
  pin,
  feed,
  rule,
  automod,
  review,
  caseCommand,
  status,
];

/** Every slash command: what is deployed, and what is answered. */
export const commands: readonly Command[] = [...explained, createHelp(explained)];

// @ts-nocheck
import type { Command } from "../../src/discord/command.ts";
import { listReviews } from "./list.ts";
import { pressReview } from "./press.ts";
import { showReview } from "./show.ts";

export const review: Command = {
  name: "review",
  description: "What rules held for a person to decide",
  press: pressReview,
  subcommands: { list: listReviews, show: showReview },
};

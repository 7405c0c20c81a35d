import { z } from "zod";
import { unknown, type ConditionKind } from "../condition.ts";
import { askMembership } from "../facts/membership.ts";
import { userEvents } from "../occurrence.ts";

/** Whether the author is a member of the channel; owner and moderators are. */
export const authorIsMember: ConditionKind = {
  name: "author.is_member",
  events: userEvents,
  schema: z.boolean().transform((wanted) => ({
    asks: [askMembership],
    cost: 1,
    sentence: wanted ? "the author is a member" : "the author is not a member",
    read: (_occurrence, facts) => {
      const fact = facts.read(askMembership);
      const { source, at } = fact;
      if (!fact.known) return unknown(fact.why, { source, at });
      return { truth: fact.value === wanted, value: fact.value, source, at };
    },
  })),
};

// @ts-nocheck
import { z } from "zod";
import { lookAlikeKeys } from "../../text/skeleton.ts";
import { askChannelNames, channelGroups, type ChannelGroup } from "../facts/channel-names.ts";
import type { NeedsLists, RuleList } from "../language/rule-list.ts";
import type { TextTest, TextTestKind } from "./text-test.ts";

const isGroup = (name: string): name is ChannelGroup => channelGroups.some((group) => group === name);

/** Looks like the name of somebody else in the channel, or like one on a list of the file. */
export const confusableWith: TextTestKind = {
  name: "confusable_with",
  schema: z
    .array(z.string())
    .min(1)
    .max(10)
    .transform((wanted): TextTest | NeedsLists<TextTest> => {
      const groups = wanted.filter(isGroup);
      const uses = wanted.flatMap((name, index) =>
        isGroup(name) ? [] : [{ name, types: ["name" as const], path: [index] }],
      );
      const sentence = `looks like a name of ${wanted.join(", ")}`;
      if (uses.length === 0) return looksLike(sentence, groups, []);
      return { uses, withLists: (lists) => looksLike(sentence, groups, lists) };
    }),
};

function looksLike(sentence: string, groups: readonly ChannelGroup[], lists: readonly RuleList[]): TextTest {
  const asks = groups.map(askChannelNames);
  const listed = lists.flatMap((list) => (list.type === "name" ? [list.lookAlikes] : []));
  return {
    asks,
    cost: 5,
    sentence,
    holds: (text, { authorFid }, facts) => {
      const keys = [...lookAlikeKeys(text.raw)];
      if (keys.some((key) => listed.some((names) => names.has(key)))) return true;
      let why: string | undefined;
      for (const ask of asks) {
        const fact = facts.read(ask);
        if (!fact.known) why ??= fact.why;
        else if (keys.some((key) => fact.value.holders.get(key)?.some((fid) => fid !== authorFid)))
          return true;
        else why ??= fact.value.missing;
      }
      return why === undefined ? false : { why };
    },
  };
}

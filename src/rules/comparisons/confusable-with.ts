import { z } from "zod";
import { impostorKeys } from "../../text/impostor-keys.ts";
import { channelGroups, channelNames, namesOfChannel, type ChannelGroup } from "../facts/channel-names.ts";
import { findList } from "../language/rule-list.ts";
import type { RuleText } from "../text/rule-text.ts";
import type { TestKind } from "./one-of.ts";
import type { TextTest } from "./text-tests.ts";

const isGroup = (name: string): name is ChannelGroup => channelGroups.some((group) => group === name);

const noNames = "never holds: the lists it uses have no names";
const known = new WeakMap<RuleText, readonly string[]>();

/** Cached, because rules test the same name repeatedly. */
function keysOf(text: RuleText): readonly string[] {
  const keys = known.get(text) ?? [...impostorKeys(text.raw)];
  known.set(text, keys);
  return keys;
}

/** Looks like somebody else's name in the channel, or like a name in one of the file's lists. */
export const confusableWith: TestKind<TextTest> = {
  name: "confusable_with",
  sources: [namesOfChannel],
  schema: (lists) =>
    z
      .array(
        z.string().transform((name, context) => {
          if (isGroup(name)) return { name, need: channelNames(name) };
          return { name, list: findList(lists, ["name"], name, context) };
        }),
      )
      .min(1)
      .max(10)
      .transform((wanted): TextTest => {
        const needs = wanted.flatMap(({ need }) => need ?? []);
        const listed = wanted.flatMap(({ list }) => list?.lookAlikes ?? []);
        return {
          needs,
          cost: 5,
          sentence: `looks like a name of ${wanted.map(({ name }) => name).join(", ")}`,
          lists: wanted.flatMap(({ name, list }) => (list ? [name] : [])),
          ...(needs.length === 0 && listed.every(({ size }) => size === 0) && { never: noNames }),
          holds: (text, { authorFid }, facts) => {
            const keys = keysOf(text);
            if (keys.some((key) => listed.some((names) => names.has(key)))) return true;
            let why: string | undefined;
            for (const need of needs) {
              const fact = facts.read(need);
              if (!fact.known) why ??= fact.why;
              else if (keys.some((key) => fact.value.holders.get(key)?.some((fid) => fid !== authorFid)))
                return true;
              else why ??= fact.value.missing;
            }
            return why === undefined ? false : { why };
          },
        };
      }),
};

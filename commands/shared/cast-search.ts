import { text, type Option } from "../../src/discord/command.ts";
import type { CastFilter } from "../../src/moderation/bulks/find-casts.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";

/** A host or an address. */
export const linkOption: Option<string | undefined> = text({
  description: "Only casts with this link: a host such as spam.example, or an address",
  maxLength: 200,
});

export function describeSearch({ text: words, link, since }: CastFilter, user: User | undefined): string {
  return [
    "Casts that Castellan has seen",
    ...(user === undefined ? [] : [`of ${describeUser(user)}`]),
    ...(words === undefined ? [] : [`with ${inlineCode(words)}`]),
    ...(link === undefined ? [] : [`with the link ${inlineCode(link)}`]),
    ...(since === undefined ? [] : [`since ${describeTime(since, "f")}`]),
  ].join(" ");
}

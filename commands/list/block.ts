import type { Preview, Question, RawValues } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { findName, type FoundCast, type KnownCast } from "../../src/moderation/find-target.ts";
import { nameUser } from "../../src/observe/people.ts";
import type { ListType } from "../../src/rules/language/rule-list.ts";
import { toListed } from "../../src/rules/links/domains-to-list.ts";
import { usualLists } from "../../src/rules/starter/rule-of-list.ts";
import { readText } from "../../src/rules/text/rule-text.ts";
import { domainsOfLeads } from "../../src/rules/text/web-links.ts";
import { cutText } from "../../src/text/message-text.ts";
import type { ProposedRules } from "../rule/change-rules.ts";
import { authorizeForCast } from "../shared/options.ts";
import { describeCast } from "../shared/preview.ts";
import { typeWords } from "./list-arguments.ts";

const maxPhrase = 500;

/** Asks what of a cast to add to a list: a link, words or the author. */
export async function askWhatToBlock(
  context: CommandContext,
  cast: FoundCast,
): Promise<Preview<ProposedRules>> {
  await authorizeForCast(context, cast, undefined, "rules");
  if (!cast.known)
    throw new AppError("not_found", "Castellan has not seen this cast, so it does not know what is in it.");
  return {
    view: textView("plain", [await describeCast(context, cast), "", whatFor], {
      title: "What should go on the blocklist?",
    }),
    question: await askWhat(context, cast.known),
  };
}

const whatFor =
  "It is added to one of this server's lists. Before anything changes, you see what a rule with that list would have matched lately.";

/** Words of it that stand there just so, because that is how the list finds them: its main line. */
function phraseOf(written: string): string {
  const [line = ""] = written
    .split(/\r?\n/)
    .map((one) => one.trim())
    .toSorted((one, other) => other.length - one.length);
  if (line.length <= maxPhrase) return line;
  const end = line.lastIndexOf(" ", maxPhrase);
  // A character may be two units, which are not to be separated.
  return line.slice(0, end > 0 ? end : maxPhrase).replace(/[\uD800-\uDBFF]$/, "");
}

async function askWhat(
  context: CommandContext,
  { hash, fid, erasedAtMs, threadDepth, ...known }: KnownCast,
): Promise<Question<ProposedRules>> {
  const [written, embeds] = erasedAtMs === null ? [known.text, known.embeds] : ["", []];
  const body = { cast: { hash, embeds, threadDepth, mentions: null }, text: readText(written) };
  const domains = [...new Set(domainsOfLeads(body).flatMap((host) => toListed(host) ?? []))];
  const [first] = domains;
  const links = domains.map((link) => ({ label: link, raw: toList("domain", link) }));
  const phrase = phraseOf(written);
  return {
    answers: [],
    changes: [
      ...(first !== undefined && domains.length === 1
        ? [{ label: `Link ${cutText(first, 60)}`, raw: toList("domain", first) }]
        : []),
      {
        label: "A phrase",
        form: {
          title: "Block a phrase",
          fields: {
            values: { label: "Which words? One phrase per line", value: phrase, maxLength: maxPhrase },
          },
          state: { list: usualLists.text, type: typeWords.text },
        },
      },
      {
        label: `All by ${nameUser({ fid, name: await findName(context, fid) })}`,
        raw: toList("fid", String(fid)),
      },
    ],
    ...(links.length > 1 && { menu: { placeholder: "A link", options: links } }),
  };
}

/** The options with which /list add puts a value on the usual list of its type. */
function toList(type: ListType, values: string): RawValues {
  return { list: usualLists[type], type: typeWords[type], values };
}

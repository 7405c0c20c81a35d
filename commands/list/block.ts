import { confirm, flag, text, type Preview, type Question } from "../../src/discord/command.ts";
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
import { ProposedRules } from "../rule/change-rules.ts";
import { authorizeForCast, castOption } from "../shared/options.ts";
import { describeCast } from "../shared/preview.ts";
import { suggestCastsFor } from "../shared/suggestions.ts";
import { proposeAddition, putListInForce } from "./change-list.ts";
import { readValues } from "./list-arguments.ts";

const maxPhrase = 500;

/** Adds a cast's link, words or author to a list. */
export const blockFromCast = confirm({
  description: "Add a link, a phrase or the author of a cast to a list, so that rules find the next one",
  needs: "rules",
  console: true,
  options: {
    cast: castOption("Which cast: link or hash", suggestCastsFor({ visible: "rules", hidden: "rules" })),
    link: text({ description: "An address that it links to", maxLength: 500 }),
    phrase: text({ description: "Words to look for in casts", maxLength: maxPhrase }),
    author: flag("Its author"),
  },
  confirmLabel: "Add it",
  state: ProposedRules,
  async preview(context, { cast, link, phrase, author }) {
    await authorizeForCast(context, cast, undefined, "rules");
    if ([link !== undefined, phrase !== undefined, author].filter(Boolean).length > 1)
      throw new AppError("invalid_input", "Choose only one: link, phrase or author.");
    if (link !== undefined) return block(context, "domain", link);
    if (phrase !== undefined) return block(context, "text", phrase);
    const known = requireKnown(cast);
    if (author) return block(context, "fid", String(known.fid));
    return {
      view: textView("plain", [await describeCast(context, cast), "", whatFor], {
        title: "What should go on the blocklist?",
      }),
      question: await askWhat(context, known),
    };
  },
  act: putListInForce,
});

const whatFor =
  "It is added to one of this server's lists. Before anything changes, you see what a rule with that list would have matched lately.";

async function block(
  context: CommandContext,
  type: ListType,
  typed: string,
): Promise<Preview<ProposedRules>> {
  const values = await readValues(context, type, typed);
  return proposeAddition(context, { name: usualLists[type], type, values });
}

function requireKnown({ known }: FoundCast): KnownCast {
  if (known) return known;
  throw new AppError("not_found", "Castellan has not seen this cast, so it does not know what is in it.");
}

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
  { hash: cast, fid, erasedAtMs, threadDepth, ...known }: KnownCast,
): Promise<Question<ProposedRules>> {
  const [written, embeds] = erasedAtMs === null ? [known.text, known.embeds] : ["", []];
  const body = { cast: { hash: cast, embeds, threadDepth, mentions: null }, text: readText(written) };
  const domains = [...new Set(domainsOfLeads(body).flatMap((host) => toListed(host) ?? []))];
  const [first] = domains;
  const links = domains.map((link) => ({ label: link, raw: { cast, link } }));
  const phrase = phraseOf(written);
  return {
    answers: [],
    changes: [
      ...(first !== undefined && domains.length === 1
        ? [{ label: `Link ${cutText(first, 60)}`, raw: { cast, link: first } }]
        : []),
      {
        label: "A phrase",
        form: {
          title: "Block a phrase",
          fields: {
            phrase: { label: "Which words? One phrase per line", value: phrase, maxLength: maxPhrase },
          },
          state: { cast },
        },
      },
      {
        label: `All by ${nameUser({ fid, name: await findName(context, fid) })}`,
        raw: { cast, author: true },
      },
    ],
    ...(links.length > 1 && { menu: { placeholder: "A link", options: links } }),
  };
}

import { AppError } from "../../errors.ts";
import type { Texts } from "../../languages/en.ts";
import { describeTime, escapeText } from "../../text/message-text.ts";

/** The placeholders allowed in a template. */
export const placeholders = ["user", "channel", "reason", "until", "appeal"] as const;
type Placeholder = (typeof placeholders)[number];

/** The facts of a case for its notice. */
interface NoticeFacts {
  kind: "ban" | "hide";
  user: string;
  channelId: string;
  reason: string | null;
  /** UNIX milliseconds; null if permanent. */
  untilMs: number | null;
}

export const maxTemplateLength = 1000;

/** A template as it is stored. Throws `invalid_input`, naming an unknown placeholder. */
export function readTemplate(typed: string): string {
  const template = typed.trim();
  if (template === "") throw new AppError("invalid_input", "The message is empty.");
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !isPlaceholder(name ?? ""));
  if (!unknown) return template;
  const known = placeholders.map((name) => `{${name}}`).join(", ");
  throw new AppError("invalid_input", `There is no ${escapeText(unknown[0], 40)}. Known are ${known}.`);
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((one) => one === name);
}

/** The message: the template's own words as its author wrote them, with escaped values filled in, in its language. */
export function fillTemplate(template: string, facts: NoticeFacts, words: Texts["notices"]): string {
  const values: Record<Placeholder, string> = {
    user: escapeText(facts.user, 60),
    channel: `/${facts.channelId}`,
    reason: facts.reason === null ? words.noReason : escapeText(facts.reason, 300),
    until: describeUntil(facts, words),
    appeal: "/appeal",
  };
  return template.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) =>
    isPlaceholder(name) ? values[name] : whole,
  );
}

function describeUntil({ kind, untilMs }: NoticeFacts, words: Texts["notices"]): string {
  if (untilMs !== null) return describeTime(untilMs / 1000, "f");
  return kind === "ban" ? words.permanent : words.untilShown;
}

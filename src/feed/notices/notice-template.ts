import { AppError } from "../../errors.ts";
import { describeTime, escapeText } from "../../text/message-text.ts";

/** What a template may have in it, with what stands there afterwards. */
export const placeholders = ["user", "channel", "reason", "until", "appeal"] as const;
type Placeholder = (typeof placeholders)[number];

/** What is told of a case. */
interface NoticeFacts {
  kind: "ban" | "hide";
  user: string;
  channelId: string;
  reason: string | null;
  /** UNIX milliseconds; null for good. */
  untilMs: number | null;
}

export const longestTemplate = 1000;

/** A template as it is kept. Throws `invalid_input`, naming what it does not know. */
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

/** The message: the template's own words as its author wrote them, and everything that is filled in made harmless. */
export function fillTemplate(template: string, facts: NoticeFacts): string {
  const values: Record<Placeholder, string> = {
    user: escapeText(facts.user, 60),
    channel: `/${facts.channelId}`,
    reason: facts.reason === null ? "no reason was given" : escapeText(facts.reason, 300),
    until: describeUntil(facts),
    appeal: "/appeal",
  };
  return template.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) =>
    isPlaceholder(name) ? values[name] : whole,
  );
}

function describeUntil({ kind, untilMs }: NoticeFacts): string {
  if (untilMs !== null) return describeTime(untilMs / 1000, "f");
  return kind === "ban" ? "for good" : "until a moderator shows it again";
}

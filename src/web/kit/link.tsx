import type { ComponentChildren } from "preact";

interface LinkProps {
  url: string | null | undefined;
  class?: string;
  children: ComponentChildren;
}

/** A link that opens in a new tab. If the address is not on the web, only the text is shown. */
export function Link({ url, children, ...rest }: LinkProps) {
  const href = safeLink(url);
  if (href === undefined) return <>{children}</>;
  return (
    <a {...rest} href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** The address if it can be linked; undefined unless it is on the web. */
export function safeLink(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

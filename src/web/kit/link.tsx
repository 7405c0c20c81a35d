import type { ComponentChildren } from "preact";

interface LinkProps {
  url: string | null | undefined;
  class?: string;
  children: ComponentChildren;
}

/** A link that opens in a tab of its own. Without an address of the web only its text is shown. */
export function Link({ url, children, ...rest }: LinkProps) {
  const href = safeLink(url);
  if (href === undefined) return <>{children}</>;
  return (
    <a {...rest} href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** The address as a link that may be followed, or undefined: nothing but the web is linked. */
export function safeLink(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

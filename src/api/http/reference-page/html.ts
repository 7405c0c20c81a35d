/** Text as it stands in HTML, in elements and in attributes. */
export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The same, with what stands between backticks as code. */
export function withCode(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

export function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

/** A block that scrolls by itself where it is wide, also by keys. */
export function block(title: string, text: string): string {
  return `<figure><figcaption>${escape(title)}</figcaption><pre tabindex="0">${escape(text)}</pre></figure>`;
}

/** A whole page of the reference; `base` leads from it to the reference. */
export function page({
  title,
  base,
  head = "",
  body,
}: {
  title: string;
  base: string;
  head?: string;
  body: string;
}) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="${base}files/castle.svg">
<link rel="stylesheet" href="${base}files/reference.css">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

export type MarkdownNode = string | { type: string; children?: MarkdownNode[]; [field: string]: unknown };

export function parseMarkdown(text: string): MarkdownNode[];

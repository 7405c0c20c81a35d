// @ts-nocheck
import type { Document } from "yaml";

/** A changed rule file in the form that it had: comments stay, and a file of JSON stays one. */
export function writeDocument(source: string, document: Document): string {
  if (source.trimStart().startsWith("{")) return `${JSON.stringify(document.toJS(), null, 2)}\n`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link } from "./link.tsx";
import { parseMarkdown, parseTitle, type Block, type Inline, type Node } from "./parse-markdown.ts";
import { Clock } from "./timestamp.tsx";

/** Information that the text itself does not contain. */
export interface Names {
  /** The names of mentioned people, roles and rooms. */
  nameOf: (kind: "user" | "role" | "room", id: string) => string | undefined;
  /** Inserts a clicked command's name into the input; if absent, commands are not clickable. */
  write?: (text: string) => void;
}

interface MarkdownProps {
  text: string;
  names: Names;
  /** Only inline markup. */
  inline?: boolean;
}

export function Markdown({ text, names, inline = false }: MarkdownProps) {
  if (inline) return <Nodes nodes={parseTitle(text)} names={names} />;
  return <Blocks blocks={parseMarkdown(text)} names={names} />;
}

function Blocks({ blocks, names }: { blocks: readonly Block[]; names: Names }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockOf key={index} block={block} names={names} />
      ))}
    </>
  );
}

function BlockOf({ block, names }: { block: Block; names: Names }) {
  switch (block.type) {
    case "code_block":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "heading":
      return (
        <p class={`heading heading-${block.level}`} role="heading" aria-level={block.level + 2}>
          <Nodes nodes={block.children} names={names} />
        </p>
      );
    case "small":
      return (
        <p class="small">
          <Nodes nodes={block.children} names={names} />
        </p>
      );
    case "quote":
      return (
        <blockquote>
          <Nodes nodes={block.children} names={names} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map(({ children, within }, index) => (
        <li key={index}>
          <Nodes nodes={children} names={names} />
          <Blocks blocks={within} names={names} />
        </li>
      ));
      if (block.start === null) return <ul class="list">{items}</ul>;
      return (
        <ol class="list" start={block.start}>
          {items}
        </ol>
      );
    }
    case "lines":
      return (
        <p>
          <Nodes nodes={block.children} names={names} />
        </p>
      );
  }
}

function Nodes({ nodes, names }: { nodes: readonly Node[]; names: Names }) {
  return (
    <>
      {nodes.map((node, index) =>
        typeof node === "string" ? node : <InlineOf key={index} node={node} names={names} />,
      )}
    </>
  );
}

function InlineOf({ node, names }: { node: Inline; names: Names }) {
  const inner = "children" in node && <Nodes nodes={node.children} names={names} />;
  switch (node.type) {
    case "break":
      return <br />;
    case "code":
      return <code>{node.text}</code>;
    case "strong":
      return <strong>{inner}</strong>;
    case "emphasis":
      return <em>{inner}</em>;
    case "underline":
      return <u>{inner}</u>;
    case "strike":
      return <s>{inner}</s>;
    case "spoiler":
      return <Spoiler>{inner}</Spoiler>;
    case "link":
      return <Link url={node.url}>{inner}</Link>;
    case "time":
      return (
        <span class="stamp">
          <Clock date={node.seconds * 1000} style={node.style} />
        </span>
      );
    case "command": {
      const { write } = names;
      if (!write) return <span class="mention">/{node.name}</span>;
      return (
        <button type="button" class="mention" onClick={() => write(`/${node.name} `)}>
          /{node.name}
        </button>
      );
    }
    case "user":
      return <span class="mention">@{names.nameOf("user", node.id) ?? "unknown-user"}</span>;
    case "role":
      return (
        <span class="mention">@{names.nameOf("role", node.id)?.replace(/^@/, "") ?? "deleted-role"}</span>
      );
    case "room":
      return <span class="mention">#{names.nameOf("room", node.id) ?? "unknown"}</span>;
    case "everyone":
      return <span class="mention">@{node.name}</span>;
  }
}

function Spoiler({ children }: { children: ComponentChildren }) {
  const [shown, setShown] = useState(false);
  if (shown) return <span class="spoiler shown">{children}</span>;
  return (
    <button type="button" class="spoiler" aria-label="Show spoiler" onClick={() => setShown(true)}>
      <span aria-hidden="true">{children}</span>
    </button>
  );
}

import type { Endpoint } from "../../../contract/endpoint.ts";
import { httpErrors } from "../../../errors.ts";
import { interfaceTitles, listEndpoints } from "./describe-api.ts";
import { describeEndpoint } from "./describe-endpoint.ts";
import { refusalsOf } from "./describe-errors.ts";

const tokens = { none: "", app_key: "application key", operator: "operator's token" };

/** The OpenAPI document for people: whole pages without a script. */
export function renderReference(): string {
  const endpoints = listEndpoints();
  const sections = Object.entries(interfaceTitles).map(([of, title]) => {
    const here = endpoints.filter(({ endpoint }) => endpoint.interface === of);
    return `<section><h2>${title}</h2>${here.map(renderEndpoint).join("")}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Castellan's network: reference</title>
<link rel="icon" href="/signed-key-request/castle.svg">
<link rel="stylesheet" href="/reference.css">
</head>
<body>
<h1>Castellan's embedded network</h1>
<p class="quiet">Three interfaces on one origin. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
Times are UNIX seconds unless a field says otherwise.</p>
${sections.join("\n")}
</body>
</html>
`;
}

/** The parts of an operation that the page shows. */
interface DescribedOperation {
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { content: Record<string, { example?: unknown }> }>;
}

function renderEndpoint({
  group,
  name,
  endpoint,
}: {
  group: string;
  name: string;
  endpoint: Endpoint;
}): string {
  // describeEndpoint makes every part that DescribedOperation names.
  const operation = describeEndpoint(group, name, endpoint, endpoint.path) as DescribedOperation;
  const body = operation.requestBody?.content["application/json"]?.example;
  const answer = operation.responses["200"]?.content["application/json"]?.example;
  const method = endpoint.method.toLowerCase();
  const token = tokens[endpoint.auth];
  return `<details id="${group}.${name}"><summary>
<span class="method ${method}">${endpoint.method}</span><code>${escape(endpoint.path)}</code>
<span class="quiet">${escape(endpoint.summary)}</span>${token && `<span class="chip">${token}</span>`}
</summary><div>
${endpoint.aliases.length > 0 ? `<p class="quiet">Also ${endpoint.aliases.map((path) => `<code>${escape(path)}</code>`).join(", ")}</p>` : ""}
${renderParameters(operation)}
${body === undefined ? "" : `<h3>Body</h3>${renderJson(body)}`}
<h3>Answer</h3>${renderJson(answer)}
<h3>Refusals</h3>${renderRefusals(endpoint)}
</div></details>`;
}

function renderParameters({ parameters }: DescribedOperation): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escape(parameter.name)}</code></td><td class="quiet">${parameter.in}${
        parameter.required ? ", required" : ""
      }</td><td><code>${escape(JSON.stringify(parameter.schema))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table>${rows.join("")}</table>`;
}

function renderRefusals(endpoint: Endpoint): string {
  const rows = refusalsOf(endpoint).map((reason) => {
    const { status, summary } = httpErrors[reason];
    return `<tr><td>${status}</td><td><code>${reason}</code></td><td class="quiet">${escape(summary)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

function renderJson(value: unknown): string {
  return `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

import type { Endpoint } from "../../../contract/endpoint.ts";
import { httpErrors } from "../../../errors.ts";
import { answerSchema } from "../openapi/describe-endpoint.ts";
import { refusalsOf } from "../openapi/describe-errors.ts";
import { toJsonSchema } from "../openapi/json-schema.ts";
import { makeExample } from "../openapi/make-example.ts";
import { describeType, fieldsOf, type Field } from "./fields.ts";
import { block, code, escape, withCode } from "./html.ts";
import { writeCurl, writeTypeScript } from "./samples.ts";

export interface NamedEndpoint {
  group: string;
  name: string;
  endpoint: Endpoint;
}

const tokens = { none: "", app_key: "token", operator: "operator's token" };

/** All that there is to say of one endpoint, closed until it is asked for. */
export function renderEndpoint(named: NamedEndpoint): string {
  const { group, name, endpoint } = named;
  const { method, path, summary, auth, aliases } = endpoint;
  const fields = fieldsOf(endpoint);
  const token = tokens[auth];
  return `<details id="${group}.${name}" class="endpoint"><summary>
<span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}
<span class="quiet">${withCode(summary)}</span>${token && ` <span class="chip">${token}</span>`}
</summary><div>
${aliases.length > 0 ? `<p class="quiet">Also served: ${aliases.map(code).join(", ")}</p>` : ""}
${renderFields(fields, toJsonSchema(endpoint.input, "input").description)}
${block("curl", writeCurl(endpoint, fields))}
${block("TypeScript", writeTypeScript(named, fields))}
${renderTrial(named, fields)}
<h4>Answer</h4>${block("200", JSON.stringify(makeExample(answerSchema(endpoint)), null, 2))}
<h4>Refusals</h4>${renderRefusals(endpoint)}
</div></details>`;
}

function renderFields(fields: readonly Field[], whole = "It takes nothing."): string {
  if (fields.length === 0) return `<p class="quiet">${withCode(whole)}</p>`;
  const rows = fields.map(({ name, place, required, schema }) => {
    const usual = schema.default === undefined ? "" : `Without it ${code(JSON.stringify(schema.default))}.`;
    const about = [withCode(schema.description ?? ""), usual].filter((part) => part !== "").join(". ");
    return `<tr><th scope="row">${code(name)} ${required ? `<b class="required">required</b>` : ""}</th>
<td class="short">${place}</td><td>${escape(describeType(schema))}</td><td class="quiet">${about}</td></tr>`;
  });
  return `<h4>What it takes</h4><table><thead><tr><th scope="col">name</th><th scope="col">in</th><th scope="col">type</th><th scope="col">meaning</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

/** A form for the page's script, without which it stays hidden. The operator's routes are closed to web pages. */
function renderTrial({ endpoint, group, name }: NamedEndpoint, fields: readonly Field[]): string {
  if (endpoint.auth === "operator")
    return `<p class="quiet">Not to be tried here: operator's routes take no call of a web page.</p>`;
  const inputs = fields.map((field) => {
    const id = `try.${group}.${name}.${field.name}`;
    return `<label for="${id}">${escape(field.name)}</label>${renderInput(field, id)}`;
  });
  return `<form class="try" hidden data-method="${endpoint.method}" data-path="${escape(endpoint.path)}" data-auth="${endpoint.auth}">
<h4>Try it</h4>${inputs.join("\n")}
<button type="submit">Send</button> <span class="as quiet"></span>
<output aria-live="polite"></output></form>`;
}

function renderInput({ name, place, schema, required, inSample, example }: Field, id: string): string {
  const isText = schema.type === "string" || place !== "body";
  const marks = `id="${id}" name="${escape(name)}" data-place="${place}"${isText ? "" : " data-json"}`;
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);
  const value = inSample ? (isText ? String(example) : JSON.stringify(example)) : "";
  if (!choices) return `<input ${marks} value="${escape(value)}" autocomplete="off" spellcheck="false">`;
  const options = [...(required ? [] : [""]), ...choices.map(String)];
  return `<select ${marks}>${options.map((each) => `<option>${escape(each)}</option>`).join("")}</select>`;
}

function renderRefusals(endpoint: Endpoint): string {
  const rows = refusalsOf(endpoint).map((reason) => {
    const { status, summary } = httpErrors[reason];
    return `<tr><td>${status}</td><th scope="row">${code(reason)}</th><td class="quiet">${withCode(summary)}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">status</th><th scope="col">reason</th><th scope="col">meaning</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}

import { interfaceTitles, listEndpoints } from "../openapi/describe-api.ts";
import { code, escape, page } from "./html.ts";
import { renderEndpoint, type NamedEndpoint } from "./render-endpoint.ts";

/** The interface for people: all of it can be read without a script, which adds search and trying. */
export function renderReference(): string {
  const sections = Object.entries(interfaceTitles).map(([of, title]) => ({
    id: of,
    title,
    groups: groupsOf(listEndpoints().filter(({ endpoint }) => endpoint.interface === of)),
  }));
  const body = `<a class="skip" href="#main">To the calls</a>
<header>
<h1>Castellan's embedded network</h1>
<div class="tools" hidden>
<label for="search">Search</label> <input id="search" type="search" placeholder="ban, cursor, /v1/…" autocomplete="off">
<label for="person">Act as</label> <select id="person"><option value="">nobody</option><option value="own">a token of my own</option></select>
<input id="token" hidden aria-label="Bearer token" placeholder="header.payload.signature" autocomplete="off" spellcheck="false">
</div>
</header>
<div class="columns">
<nav aria-label="Calls">
<p><a href="reference/authentication">Keys, tokens and signatures</a><br><a href="openapi.json">openapi.json</a></p>
<details open><summary>Calls</summary>
${sections.map(({ title, groups }) => `<h2>${title}</h2><ul>${groups.map(renderLinks).join("\n")}</ul>`).join("\n")}
</details>
</nav>
<main id="main">
${introduction}
<p id="none" role="status" hidden></p>
${sections.map(({ id, title, groups }) => `<section id="${id}"><h2>${title}</h2>${groups.map(renderGroup).join("\n")}</section>`).join("\n")}
</main>
</div>`;
  const head = `<script type="module" src="reference/files/reference.js"></script>`;
  return page({ title: "Castellan's network: reference", base: "reference/", head, body });
}

const introduction = `<p>Three interfaces on one origin; for programs <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
Times are UNIX seconds unless a field says otherwise. What is marked <span class="chip">token</span> acts as a user:
<a href="reference/authentication">how to make a token</a>.</p>
<p>Fields that a call does not know are ignored, in queries and bodies; where another one is missing, the refusal names them.
A method that a path does not serve is 404 with ${code("Allow")}. Listings give ${code("next.cursor")} until the last page.</p>
<p>From web pages of other origins: the public reads (${code("GET")}, with ${code("Access-Control-Allow-Origin: *")}) and
${code("POST /transfers")}, which carries its own signature. Everything that takes a token is for programs and for pages of this
origin alone: a preflight is answered without leave, so a browser sends no such call. A page of your own asks its own server, which
holds the key and makes the call.</p>`;

interface Group {
  name: string;
  title: string;
  endpoints: NamedEndpoint[];
}

function groupsOf(endpoints: readonly NamedEndpoint[]): Group[] {
  const names = [...new Set(endpoints.map(({ group }) => group))];
  return names.map((name) => ({
    name,
    title: titleOf(name),
    endpoints: endpoints.filter(({ group }) => group === name),
  }));
}

/** channelInvites: "Channel invites". */
function titleOf(group: string): string {
  const words = group.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function renderLinks({ title, endpoints }: Group): string {
  const links = endpoints.map(
    ({ group, name, endpoint: { method, path } }) =>
      `<li><a href="#${group}.${name}"><span class="method ${method.toLowerCase()}">${method}</span> ${escape(path)}</a></li>`,
  );
  return `<li><span class="group">${escape(title)}</span><ul>${links.join("")}</ul></li>`;
}

function renderGroup({ title, endpoints }: Group): string {
  return `<div class="group-of-calls"><h3>${escape(title)}</h3>${endpoints.map(renderEndpoint).join("\n")}</div>`;
}

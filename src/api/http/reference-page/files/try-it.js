/** The sandbox's people, whom anybody on this machine may be; none where there is no sandbox, or others can reach it. */
async function readPeople(base) {
  const response = await fetch(`${base}/reference/people`).catch(() => undefined);
  return response?.ok ? response.json() : [];
}

/** Shows the forms that try calls, and lets one choose as whom. */
export async function offerTrials(base) {
  const person = document.querySelector("#person");
  const own = document.querySelector("#token");
  for (const { fid, name } of await readPeople(base)) {
    person.append(new Option(`${name} (fid ${fid})`, String(fid)));
  }
  const say = () => {
    own.hidden = person.value !== "own";
    for (const place of document.querySelectorAll('[data-auth="app_key"] .as')) {
      place.textContent =
        person.value === ""
          ? "Choose above as whom: this call needs a token."
          : `as ${person.selectedOptions[0].text}`;
    }
  };
  person.addEventListener("change", say);
  say();
  for (const form of document.querySelectorAll(".try")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(base, form);
    });
  }

  /** Tokens live for minutes, so each call gets one of its own. */
  async function getToken() {
    if (person.value === "own") return own.value.trim();
    const people = person.value === "" ? [] : await readPeople(base);
    return people.find(({ fid }) => String(fid) === person.value)?.token;
  }

  async function send(base, form) {
    const { method, path, auth } = form.dataset;
    const { inPath, query, body } = readFields(form);
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ""));
    const search = new URLSearchParams(query).toString();
    const token = auth === "app_key" ? await getToken() : undefined;
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    };
    const url = `${base}${target}${search ? `?${search}` : ""}`;
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
      () => undefined,
    );
    show(form, method, url, answer && { status: answer.status, text: await answer.text() });
  }
}

function readFields(form) {
  const parts = { path: {}, query: {}, body: undefined };
  if (form.querySelector('[data-place="body"]')) parts.body = {};
  for (const field of form.querySelectorAll("[data-place]")) {
    if (field.value !== "")
      parts[field.dataset.place][field.name] = "json" in field.dataset ? readJson(field.value) : field.value;
  }
  return { inPath: parts.path, query: parts.query, body: parts.body };
}

/** What is no JSON is sent as text: how it is refused can be tried, too. */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function show(form, method, url, answer) {
  const block = document.createElement("pre");
  block.tabIndex = 0;
  const head = `${method} ${url}`;
  block.textContent = answer
    ? `${head}\n${answer.status}\n${indent(answer.text)}`
    : `${head}\nNo answer came.`;
  form.querySelector("output").replaceChildren(block);
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

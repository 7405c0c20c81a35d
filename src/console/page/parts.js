import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { goTo, withQuery } from "./location.js";
import { Words } from "./view.js";

export function Waiting() {
  return html`<p class="empty" role="status">One moment…</p>`;
}

/** Why something is not shown, in the server's words. */
export function Problem({ problem }) {
  return html`<p class="problem" role="alert">
    <${Words} text=${problem.message} names=${problem.names} />
  </p>`;
}

/** A user of the network: fid, @name or link; names are offered while one types. `path`: for which command. */
export function UserField({ desk, value, label, path = "who" }) {
  const [typed, setTyped] = useState(value ?? "");
  const [choices, setChoices] = useState([]);
  useEffect(() => setTyped(value ?? ""), [value]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      desk.read(withQuery("/suggest", { path, option: "user", typed })).then(
        (answer) => !isOver && setChoices(answer.choices),
        () => {},
      );
    }, 150);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed]);
  const list = `users-of-${path.replace(" ", "-")}`;
  return html`
    <label>
      ${label}
      <input
        name="user"
        list=${list}
        autocomplete="off"
        spellcheck=${false}
        maxlength="200"
        placeholder="@name, fid or link"
        value=${typed}
        onInput=${(event) => setTyped(event.target.value)}
        data-search
      />
      <datalist id=${list}>
        ${choices.map(([name, choice]) => html`<option key=${choice} value=${choice}>${name}</option>`)}
      </datalist>
    </label>
  `;
}

/** A form whose fields become the address: so it can be linked, and gone back to. */
export function Search({ path, label, children }) {
  const submit = (event) => {
    event.preventDefault();
    goTo(withQuery(path, Object.fromEntries(new FormData(event.target))));
  };
  return html`
    <form class="filters" role="search" aria-label=${label} onSubmit=${submit}>
      ${children}
      <button class="button primary" type="submit">Show</button>
    </form>
  `;
}

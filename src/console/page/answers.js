import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./parts.js";
import { View } from "./view.js";

/** Presses buttons, and holds what they are answered with: a question or an outcome in a dialog, a word for what is small. */
export function useAnswers(desk, { refresh, signedOut }) {
  const [answer, setAnswer] = useState();
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 8000);
    return () => clearTimeout(timer);
  }, [said]);
  /** Gives whether it was answered. A word in place of what is asked of nobody: `said`. */
  const settle = async (begin, sayOf) => {
    setBusy(true);
    isLeft.current = false;
    try {
      const next = await begin((progress) => isLeft.current || setAnswer(progress));
      // Whoever closed the dialog meanwhile is told in a word.
      const word = sayOf(next) ?? (isLeft.current ? "It is done." : undefined);
      setAnswer(word === undefined ? next : undefined);
      setSaid(word ?? "");
      return true;
    } catch (problem) {
      if (problem.code === "invalid_auth_token") signedOut();
      else setAnswer({ problem });
      return false;
    } finally {
      setBusy(false);
      refresh();
    }
  };
  const pressWith = (customId, filled) =>
    settle(
      (onProgress) => desk.press(customId, filled, onProgress),
      (next) => (customId.startsWith("review:") && !next.ephemeral ? "Done." : undefined),
    );
  const press = (customId, value) => pressWith(customId, { value });
  /** Sends a form that a button opened. */
  const fill = (customId, typed) => pressWith(customId, { typed });
  /** Runs a command; where it is done without a question and `said` is given, that is all that is told of it. */
  const run = (path, options, said) =>
    settle(
      (onProgress) => desk.run(path, options, onProgress),
      ({ view }) => (view.menu || view.buttons?.some((row) => row.length > 0) ? undefined : said),
    );
  /** Shows what something else that was asked is answered with. */
  const show = (begin) => settle(begin, () => undefined);
  const close = () => {
    isLeft.current = true;
    setAnswer(undefined);
  };
  return { answer, said, press, fill, run, show, isBusy, close };
}

/** What a button was answered with. Escape closes it; nothing is done until a button in it says so. */
export function Answer({ answer, press, fill, close, isBusy }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (!dialog.current.open) dialog.current.showModal();
  }, []);
  useEffect(
    () => dialog.current.querySelector("h2, .problem")?.scrollIntoView({ block: "nearest" }),
    [answer],
  );
  const { view, names, problem, form } = answer;
  return html`
    <dialog ref=${dialog} class="answer" aria-label="Castellan's answer" onClose=${close}>
      ${problem && html`<${Problem} problem=${problem} />`}
      ${form && html`<${Form} form=${form} onFill=${fill} isBusy=${isBusy} />`}
      ${view && html`<${View} ...${{ view, names, onPress: press, isBusy }} />`}
      <form method="dialog"><button class="button quiet">Close</button></form>
    </dialog>
  `;
}

/** What a button asks for before it does anything. */
function Form({ form: { customId, title, fields }, onFill, isBusy }) {
  const submit = (event) => {
    event.preventDefault();
    return onFill(customId, Object.fromEntries(new FormData(event.target)));
  };
  return html`
    <form class="asked" onSubmit=${submit}>
      <h2 class="embed-title">${title}</h2>
      ${Object.entries(fields).map(
        ([name, { label, value, maxLength, optional, short }], index) => html`
          <label key=${name}>
            ${label}
            ${
              short
                ? html`<input
                    name=${name}
                    value=${value}
                    maxlength=${maxLength}
                    required=${!optional}
                    autocomplete="off"
                    autofocus=${index === 0}
                  />`
                : html`<textarea name=${name} maxlength=${maxLength} required=${!optional} rows="5">
${value}</textarea>`
            }
          </label>
        `,
      )}
      <div class="buttons"><button class="button primary" disabled=${isBusy}>Go on</button></div>
    </form>
  `;
}

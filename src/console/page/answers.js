import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./parts.js";
import { View } from "./view.js";

/** Presses buttons, and holds what they are answered with: a question or an outcome in a dialog, a word for what is small. */
export function useAnswers(desk, { refresh, signedOut }) {
  const [answer, setAnswer] = useState();
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 8000);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async (customId, value) => {
    setBusy(true);
    try {
      const next = await desk.press(customId, value);
      const isSmall = customId.startsWith("review:") && !next.aside;
      if (isSmall) setAnswer(undefined);
      else setAnswer(next);
      setSaid(isSmall ? "Done." : "");
    } catch (problem) {
      if (problem.code === "invalid_auth_token") signedOut();
      else setAnswer({ problem });
    } finally {
      setBusy(false);
      refresh();
    }
  };
  return { answer, said, press, isBusy, close: () => setAnswer(undefined) };
}

/** What a button was answered with. Escape closes it; nothing is done until a button in it says so. */
export function Answer({ answer, press, close, isBusy }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (!dialog.current.open) dialog.current.showModal();
  }, []);
  useEffect(
    () => dialog.current.querySelector("h2, .problem")?.scrollIntoView({ block: "nearest" }),
    [answer],
  );
  const { view, names, problem } = answer;
  return html`
    <dialog ref=${dialog} class="answer" aria-label="Castellan's answer" onClose=${close}>
      ${problem ? html`<${Problem} problem=${problem} />` : html`<${View} ...${{ view, names, onPress: press, isBusy }} />`}
      <form method="dialog"><button class="button quiet" disabled=${isBusy}>Close</button></form>
    </dialog>
  `;
}

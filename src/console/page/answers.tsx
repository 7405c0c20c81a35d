import { useEffect, useRef, useState } from "preact/hooks";
import type { OpenedForm } from "../../discord/opened-form.ts";
import { Refused } from "../../web/kit/request.ts";
import { takeForm } from "../../web/kit/take-form.ts";
import type { Pressed } from "../desk-routes.ts";
import type { Desk, OnProgress, ViewAnswer } from "./ask.ts";
import { Problem } from "./parts.tsx";
import { View } from "./view.tsx";

/** The content of the dialog. */
type Shown = Partial<ViewAnswer> & { form?: OpenedForm; problem?: Refused };

/** Sends a request; `onProgress` receives its progress. */
type Begin<A> = (onProgress: OnProgress) => Promise<A>;

export type Answers = ReturnType<typeof useAnswers>;

/** Handles buttons and shows their answers: a question or an outcome in a dialog, a short notice for small actions. */
export function useAnswers(
  desk: Desk,
  { refresh, signedOut }: { refresh: () => void; signedOut: () => void },
) {
  const [answer, setAnswer] = useState<Shown>();
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 8000);
    return () => clearTimeout(timer);
  }, [said]);
  /** Returns whether it was answered. `said` is shown instead of an answer that asks nothing. */
  const settle = async <A extends Shown>(
    begin: Begin<A>,
    sayOf: (next: A) => string | undefined,
  ): Promise<boolean> => {
    setBusy(true);
    isLeft.current = false;
    try {
      const next = await begin((progress) => void (isLeft.current || setAnswer(progress)));
      // If the dialog was closed in the meantime, one sentence says what happened.
      const word = sayOf(next) ?? (isLeft.current ? "It is done." : undefined);
      setAnswer(word === undefined ? next : undefined);
      setSaid(word ?? "");
      return true;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (problem.code === "invalid_auth_token") signedOut();
      else setAnswer({ problem });
      return false;
    } finally {
      setBusy(false);
      refresh();
    }
  };
  const pressWith = (pressed: Pressed) =>
    settle(
      (onProgress) => desk.send("/press", pressed, onProgress),
      (next) => {
        if (isCancel(pressed.customId)) return "Nothing was done.";
        return pressed.customId.startsWith("review:") && !("ephemeral" in next) ? "Done." : undefined;
      },
    );
  const press = (customId: string, value?: string) => pressWith({ customId, value });
  /** Sends a form that a button opened. */
  const fill = (customId: string, typed: Record<string, string>) => pressWith({ customId, typed });
  /** Runs a command. If it asks no question and `said` is given, only that sentence is shown as its answer. */
  const run = (path: string, options: Record<string, string>, said?: string) =>
    settle(
      (onProgress) => desk.send("/run", { path, options }, onProgress),
      ({ view }) => (view.menu || view.buttons?.some((row) => row.length > 0) ? undefined : said),
    );
  /** Shows the answer to another request. */
  const show = (begin: Begin<ViewAnswer>) => settle(begin, () => undefined);
  const close = () => {
    isLeft.current = true;
    setAnswer(undefined);
  };
  return { answer, said, press, fill, run, show, isBusy, close };
}

const isCancel = (customId: string) => customId.startsWith("cancel:");

/** A button's answer. Escape closes it; nothing is done until a button in it is clicked. */
export function Answer({ answer, press, fill, close, isBusy }: Answers & { answer: Shown }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector("h2, .problem")?.scrollIntoView({ block: "nearest" });
    // The button that was clicked is gone with its question.
    if (!dialog.current?.contains(document.activeElement)) dialog.current?.focus();
  }, [answer]);
  const { view, names, problem, form } = answer;
  // A question's own Cancel is its way out.
  const hasCancel = view?.buttons?.flat().some(({ customId }) => isCancel(customId));
  return (
    <dialog ref={dialog} class="answer" aria-label="Castellan's answer" tabindex={-1} onClose={close}>
      {problem && <Problem problem={problem} />}
      {form && <Form form={form} onFill={fill} isBusy={isBusy} />}
      {view && <View view={view} names={names} onPress={press} isBusy={isBusy} />}
      {!hasCancel && (
        <form method="dialog">
          <button class="button quiet">Close</button>
        </form>
      )}
    </dialog>
  );
}

/** A form that a button needs before it acts. */
function Form({ form, onFill, isBusy }: { form: OpenedForm; onFill: Answers["fill"]; isBusy: boolean }) {
  const { customId, title, fields } = form;
  return (
    <form class="asked" onSubmit={(event) => onFill(customId, takeForm(event))}>
      <h2 class="embed-title">{title}</h2>
      {Object.entries(fields).map(([name, { label, value, maxLength, optional, short }], index) => (
        <label key={name}>
          {label}
          {short ? (
            <input
              name={name}
              value={value}
              maxlength={maxLength}
              required={!optional}
              autocomplete="off"
              autofocus={index === 0}
            />
          ) : (
            <textarea name={name} maxlength={maxLength} required={!optional} rows={5}>
              {value}
            </textarea>
          )}
        </label>
      ))}
      <div class="buttons">
        <button class="button primary" disabled={isBusy}>
          Continue
        </button>
      </div>
    </form>
  );
}

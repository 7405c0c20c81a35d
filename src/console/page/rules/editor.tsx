import { useEffect, useState } from "preact/hooks";
import type { Refused } from "../../../web/kit/request.ts";
import type { Mistake } from "../../../errors.ts";
import { Problem } from "../parts.tsx";
import type { PartProps } from "../part.ts";
import { useAnswer } from "../use-answer.tsx";
import { CodeField } from "./code-field.tsx";
import { Differences } from "./differences.tsx";
import { Rehearsal } from "./rehearsal.tsx";

/** Drafts that are not in force yet, by place. They are kept while the page is open. */
const drafts = new Map<string, Draft>();

interface Draft {
  typed: string;
  /** The rules in force when the draft was started, and their version. */
  base: string;
  version: number;
}

/** One rule, or the whole file: edit it, check it while typing, test it on the past, and put it in force. */
export function Editor({ desk, server, place, path, version, onShow }: PartProps) {
  const { rule, version: old } = place.query;
  const key = `${server.id} ${rule ?? ""}`;
  const current = useAnswer(desk, "/rules/source", { rule }, version);
  const earlier = useAnswer(desk, "/rules/source", { rule: old ? undefined : rule, version: old }, 0);
  const schema = useAnswer(desk, "/rules/schema", {}, 0);
  const [draft, setDraft] = useState(() => drafts.get(key));
  const keep = (next: Draft | undefined) => {
    if (next) drafts.set(key, next);
    else drafts.delete(key);
    setDraft(next);
  };
  const inForce = current.answer;
  useEffect(() => {
    if (old && inForce && earlier.answer)
      keep({ typed: earlier.answer.text, base: inForce.text, version: inForce.version });
  }, [old, earlier.answer, inForce === undefined]);
  useEffect(() => {
    // Put in force, here or elsewhere, so the draft is no longer needed.
    if (draft && inForce && draft.typed === inForce.text) keep(undefined);
  }, [inForce?.text, draft?.typed]);
  useEffect(() => {
    if (!draft) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [draft === undefined]);
  if (!inForce || !schema.answer) return current.instead ?? schema.instead;
  const typed = draft?.typed ?? inForce.text;
  const base = draft ?? { base: inForce.text, version: inForce.version };
  const isOvertaken = base.base !== inForce.text;
  const propose = () =>
    onShow((onProgress) =>
      desk.send(
        "/rules/propose",
        { rule, source: typed, baseVersion: rule ? inForce.version : base.version },
        onProgress,
      ),
    );
  return (
    <>
      <p class="dim">
        {rule ? (
          <>
            Rule <strong>{rule}</strong> of version {inForce.version}.{" "}
            <a href={`${path}/edit`}>The whole file</a>
          </>
        ) : inForce.version === 0 ? (
          "A first rule to begin with."
        ) : (
          `The whole file, version ${inForce.version}.`
        )}
      </p>
      {isOvertaken && (
        <div class="problem" role="alert">
          <p>Version {inForce.version} came while you were editing. What differs is below.</p>
          <button
            class="button secondary"
            onClick={() => keep({ typed, base: inForce.text, version: inForce.version })}
          >
            Keep my changes
          </button>
        </div>
      )}
      <CodeField
        label={rule ? `Rule ${rule}` : "The rules"}
        value={typed}
        schema={schema.answer}
        path={rule ? ["rules", "[]"] : []}
        onInput={(text) => keep({ ...base, typed: text })}
        onSubmit={propose}
      />
      <Mistakes desk={desk} rule={rule} typed={typed} version={version} />
      <div class="buttons">
        <button class="button primary" onClick={propose}>
          Put in force… <kbd aria-hidden="true">Ctrl Enter</kbd>
        </button>
        {draft && (
          <button class="button quiet" onClick={() => keep(undefined)}>
            Discard my changes
          </button>
        )}
      </div>
      {draft && (
        <details open={isOvertaken}>
          <summary>Differences from the rules in force</summary>
          <Differences before={inForce.text} after={typed} />
        </details>
      )}
      <Rehearsal desk={desk} server={server} rule={rule} typed={typed} />
    </>
  );
}

interface MistakesProps extends Pick<PartProps, "desk" | "version"> {
  rule: string | undefined;
  typed: string;
}

/** The mistakes, shown shortly after typing stops. */
function Mistakes({ desk, rule, typed, version }: MistakesProps) {
  const [found, setFound] = useState<{ mistakes: readonly Mistake[] } | { problem: Refused }>();
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      desk.send("/rules/mistakes", { rule, source: typed }).then(
        (answer) => isOver || setFound(answer),
        (problem: Refused) => isOver || setFound({ problem }),
      );
    }, 400);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed, rule, version]);
  if (!found)
    return (
      <p class="dim" role="status">
        Checking…
      </p>
    );
  if ("problem" in found) return <Problem problem={found.problem} />;
  const { mistakes } = found;
  if (mistakes.length === 0)
    return (
      <p class="dim" role="status">
        No mistakes.
      </p>
    );
  return (
    <>
      <p role="status">{mistakes.length === 1 ? "1 mistake:" : `${mistakes.length} mistakes:`}</p>
      <ul class="mistakes">
        {mistakes.map(({ path, message }, at) => (
          <li key={at}>
            <button class="button quiet" onClick={() => goToPlace(path)}>
              {path}
            </button>{" "}
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Moves the caret to a mistake. */
function goToPlace(path: string): void {
  const [, line, column] = /line (\d+), column (\d+)/.exec(path) ?? [];
  const field = document.querySelector<HTMLTextAreaElement>(".code textarea");
  field?.focus();
  if (!field || line === undefined) return;
  const lines = field.value.split("\n").slice(0, Number(line) - 1);
  const at = lines.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  field.setSelectionRange(at, at);
  field.scrollTop = (Number(line) - 4) * parseFloat(getComputedStyle(field).lineHeight);
}

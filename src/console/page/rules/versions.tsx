import type { PartProps } from "../part.ts";
import { MoreLink, Tabs } from "../parts.tsx";
import { useAnswer } from "../use-answer.tsx";
import { Words } from "../view.tsx";
import { Differences } from "./differences.tsx";

/** Every version of the rules. With one in the address, its changes and its differences from the rules in force. */
export function Versions(props: PartProps) {
  const { desk, place, path, version } = props;
  const { before, version: shown } = place.query;
  const { answer, instead } = useAnswer(desk, "/rules/versions", { before }, version);
  if (shown) return <Version {...props} number={Number(shown)} />;
  if (!answer) return instead;
  const { versions, inForce, names, next } = answer;
  return (
    <>
      <table class="cases">
        <thead>
          <tr>
            <th>Version</th>
            <th>Changes</th>
            <th>By</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((one) => {
            const at = `${path}/versions?version=${one.version}`;
            return (
              <tr key={one.version} data-item tabindex={0} data-open={at}>
                <th scope="row" data-label="Version">
                  <a href={at}>Version {one.version}</a>
                  {one.version === inForce && " · in force"}
                </th>
                <td data-label="Changes">{one.change}</td>
                <td data-label="By">
                  <Words text={one.by} names={names} />
                </td>
                <td data-label="When">
                  <Words text={`<t:${Math.floor(one.at)}:R>`} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {next && <MoreLink href={`${path}/versions?before=${next}`}>Older ones</MoreLink>}
    </>
  );
}

/** One version compared with the one in force, or with the previous one. */
function Version({ desk, place, path, version, onRun, number }: PartProps & { number: number }) {
  const own = useAnswer(desk, "/rules/source", { version: number }, 0);
  const current = useAnswer(desk, "/rules/source", {}, version);
  const earlier = useAnswer(desk, "/rules/source", { version: Math.max(number - 1, 1) }, 0);
  if (!own.answer || !current.answer || !earlier.answer)
    return own.instead ?? current.instead ?? earlier.instead;
  const inForce = current.answer.version;
  const here = `${path}/versions?version=${number}`;
  const isLatest = number === inForce;
  const showsBefore = isLatest || place.query.against === "before";
  const before = number === 1 ? "" : earlier.answer.text;
  return (
    <>
      <p>
        <a href={`${path}/versions`}>All versions</a>
      </p>
      <h2>
        Version {number}
        {isLatest && ", in force"}
      </h2>
      {!isLatest && (
        <Tabs
          label="Compare with"
          tabs={[
            { href: here, title: `What came since, up to version ${inForce}`, isShown: !showsBefore },
            { href: `${here}&against=before`, title: "Changes in this version", isShown: showsBefore },
          ]}
        />
      )}
      {showsBefore ? (
        <Differences before={before} after={own.answer.text} />
      ) : (
        <Differences before={own.answer.text} after={current.answer.text} />
      )}
      <div class="buttons">
        {!isLatest && (
          <button class="button danger" onClick={() => onRun("rule rollback", { version: String(number) })}>
            Bring version {number} back…
          </button>
        )}
        <a class="button secondary" href={`${path}/edit?version=${number}`}>
          Edit it
        </a>
      </div>
    </>
  );
}

import type { DeskAnswers } from "./ask.ts";
import { Item, SelectBox, WhoIsThis } from "./parts.tsx";
import { Words, type Known } from "./view.tsx";

export type Cast = DeskAnswers["/found"]["casts"][number];

interface FoundCastProps {
  cast: Cast;
  /** The server's path. */
  base: string;
  names: Known;
  isChosen: boolean;
  /** Absent for a cast on which the person may not act. */
  onChoose: (() => void) | undefined;
}

/** A cast as on the network, below the cast that it replies to. */
export function FoundCast({ cast, base, names, isChosen, onChoose }: FoundCastProps) {
  const { fid, author, channel, at, parent, link } = cast;
  const states = [
    ...(cast.hidden ? ["hidden"] : []),
    ...(cast.isHiddenByBan ? ["hidden by the ban"] : []),
    ...(cast.isAuthorBanned ? ["author banned"] : []),
  ];
  const person = `${base}/people?user=${fid}`;
  return (
    <li>
      <Item label={`Cast of ${author}`} class={isChosen ? "cast chosen" : "cast"}>
        {parent && (
          <blockquote class="parent">
            {"author" in parent ? (
              <>
                <p class="dim">
                  Replies to <a href={`${base}/people?user=${parent.fid}`}>{parent.author}</a> ·{" "}
                  <Words text={parent.link} />
                </p>
                <Content {...parent} />
              </>
            ) : (
              <p class="dim">
                Replies to a cast that is not shown here: <Words text={parent.link} />
              </p>
            )}
          </blockquote>
        )}
        <p class="byline">
          <a href={person}>
            <strong>{author}</strong>
          </a>{" "}
          <span class="dim">
            {author.startsWith("@") && `fid ${fid} `}in /{channel} · <Words text={`<t:${at}:R>`} /> ·{" "}
            <Words text={link} names={names} />
          </span>
          {states.map((state) => (
            <span key={state} class="state">
              {state}
            </span>
          ))}
        </p>
        <Content {...cast} />
        <div class="buttons">
          {onChoose && <SelectBox label={`this cast of ${author}`} isChosen={isChosen} onChoose={onChoose} />}
          <WhoIsThis href={person} />
        </div>
      </Item>
    </li>
  );
}

/** Addresses are not links, because strangers wrote them. */
function Content({ text, below }: Pick<Cast, "text" | "below">) {
  return (
    <>
      {(text !== "" || below.length === 0) && <p class="cast-text">{text || "(no text)"}</p>}
      {below.length > 0 && (
        <ul class="attached">
          {below.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}

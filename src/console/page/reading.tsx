import { withQuery, type Query } from "./location.ts";
import type { PartProps } from "./part.ts";
import { MoreLink, Search, UserField } from "./parts.tsx";
import { useAnswer } from "./use-answer.tsx";
import { View } from "./view.tsx";

interface ReadingProps extends Pick<PartProps, "desk" | "path" | "version" | "onPress"> {
  what: string;
  query: Query;
}

/** A command's answer as a page, with its options in the address. */
function Reading({ desk, what, query, path, version, onPress }: ReadingProps) {
  const { answer, instead } = useAnswer(desk, `/read/${what}`, query, version);
  if (!answer) return instead;
  const { view, names, next } = answer;
  return (
    <>
      <article class="card">
        <View view={view} names={names} onPress={onPress} />
      </article>
      {next && <MoreLink href={withQuery(path, { ...query, cursor: next })}>More</MoreLink>}
    </>
  );
}

export function Person({ desk, place, path, version, onPress }: PartProps) {
  const { user } = place.query;
  return (
    <>
      <header class="section-head">
        <h1>People</h1>
        <Search path={path} label="Who">
          <UserField desk={desk} value={user} label="Who" />
        </Search>
      </header>
      {user ? (
        <Reading desk={desk} what="person" query={{ user }} path={path} version={version} onPress={onPress} />
      ) : (
        <p class="empty">Everything that Castellan knows of a person, in all channels that you can see.</p>
      )}
    </>
  );
}

export function Health({ desk, path, version, onPress }: PartProps) {
  return (
    <>
      <header class="section-head">
        <h1>Health</h1>
      </header>
      <Reading desk={desk} what="health" query={{}} path={path} version={version} onPress={onPress} />
    </>
  );
}

const kinds = ["rules", "capabilities", "feeds", "links", "automod"];

export function Audit({ desk, place, path, version, onPress }: PartProps) {
  const { kind, cursor } = place.query;
  return (
    <>
      <header class="section-head">
        <h1>Audit</h1>
        <nav class="tabs" aria-label="Kind of change">
          <a href={path} aria-current={kind ? undefined : "page"}>
            All
          </a>
          {kinds.map((one) => (
            <a key={one} href={`${path}?kind=${one}`} aria-current={kind === one ? "page" : undefined}>
              {one}
            </a>
          ))}
        </nav>
      </header>
      <Reading
        desk={desk}
        what="audit"
        query={{ kind, cursor }}
        path={path}
        version={version}
        onPress={onPress}
      />
    </>
  );
}

import { useState } from "preact/hooks";
import { setupKinds } from "../../text/setup-kinds.ts";
import { withQuery, type Query } from "./location.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, TextField, UserField } from "./fields.tsx";
import { Head, MoreLink, Search, Tabs } from "./parts.tsx";
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

export function Person(props: PartProps) {
  const { user } = props.place.query;
  return (
    <>
      <Head title="People">
        <Search path={props.path} label="Who">
          <UserField desk={props.desk} value={user} label="Who" />
        </Search>
      </Head>
      {user ? (
        <Reading {...props} what="person" query={{ user }} />
      ) : (
        <p class="empty">Everything that Castellan knows of a person, in all channels that you can see.</p>
      )}
    </>
  );
}

export function Health(props: PartProps) {
  return (
    <>
      <Head title="Health" />
      <Reading {...props} what="health" query={{}} />
    </>
  );
}

/** The pictures and figures of /stats, in the page's colours. They are drawn on request, not after each change. */
export function Statistics(props: PartProps) {
  const { path, place, server } = props;
  const { since, channel } = place.query;
  const [version, setVersion] = useState(0);
  const theme = window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const channels = server.channels.filter(({ may }) => may.includes("view"));
  return (
    <>
      <Head title="Statistics">
        <Search path={path} label="Subject" key={JSON.stringify(place.query)}>
          <TextField
            name="since"
            label="Since"
            maxlength={20}
            placeholder="30d or 2026-11-23"
            value={since}
            isSearch
          />
          <ChannelField channels={channels} chosen={channel} all />
          <button type="button" class="button secondary" onClick={() => setVersion(version + 1)}>
            Refresh
          </button>
        </Search>
      </Head>
      <Reading {...props} version={version} what="statistics" query={{ since, channel, theme }} />
    </>
  );
}

export function Audit(props: PartProps) {
  const { kind, cursor } = props.place.query;
  return (
    <>
      <Head title="Audit">
        <Tabs
          label="Kind of change"
          tabs={[
            { href: props.path, title: "All", isShown: !kind },
            ...setupKinds.map((one) => ({
              href: `${props.path}?kind=${one}`,
              title: one,
              isShown: kind === one,
            })),
          ]}
        />
      </Head>
      <Reading {...props} what="audit" query={{ kind, cursor }} />
    </>
  );
}

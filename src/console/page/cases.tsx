import type { DeskAnswers } from "./ask.ts";
import type { PartProps } from "./part.ts";
import { ChannelField, SelectField, SuggestingField, TextField, UserField } from "./fields.tsx";
import { countFilters, Head, MoreLink, Search } from "./parts.tsx";
import { withQuery } from "./location.ts";
import { useAnswer } from "./use-answer.tsx";
import { Words } from "./view.tsx";

/** A channel's cases, with all filters of /case show. */
export function Cases({ desk, server, me, place, path, version }: PartProps) {
  const channel = place.query.channel ?? server.channels[0]?.id ?? "";
  const filters = useAnswer(desk, "/case-filters", { channel }, version).answer;
  const { answer, instead } = useAnswer(desk, "/cases", { ...place.query, channel }, version);
  return (
    <>
      <Head title="Cases">
        <Filters
          desk={desk}
          server={server}
          me={me}
          path={path}
          filters={filters}
          channel={channel}
          query={place.query}
        />
      </Head>
      {instead}
      {answer && <Table desk={desk} answer={answer} path={path} place={place} />}
    </>
  );
}

interface FiltersProps extends Pick<PartProps, "desk" | "server" | "me" | "path"> {
  filters: DeskAnswers["/case-filters"] | undefined;
  channel: string;
  query: PartProps["place"]["query"];
}

function Filters({ desk, server, me, path, filters, channel, query }: FiltersProps) {
  const moderators = (filters?.moderators ?? []).map((mention) => mention.slice(2, -1));
  const nameOf = (id: string) => (id === me.id ? `${me.name} (you)` : (filters?.names[id] ?? id));
  return (
    <Search
      path={path}
      label="Filter cases"
      key={JSON.stringify(query)}
      filterCount={countFilters(query, "channel", "before")}
    >
      <ChannelField channels={server.channels} chosen={channel} />
      <UserField desk={desk} value={query.user} label="About" path="case show" />
      <SelectField
        name="moderator"
        label="By moderator"
        none="any"
        choices={moderators.map((id) => [id, nameOf(id)])}
        chosen={query.moderator}
      />
      <SelectField
        name="action"
        label="Action"
        none="any"
        choices={inWords(filters?.action)}
        chosen={query.action}
      />
      <SelectField
        name="state"
        label="State"
        none="any"
        choices={inWords(filters?.state)}
        chosen={query.state}
      />
      <SuggestingField
        desk={desk}
        path="case show"
        option="rule"
        value={query.rule}
        label="Rule"
        maxlength={40}
      />
      <TextField
        name="since"
        label="Since"
        maxlength={20}
        placeholder="7d or 2026-11-23"
        value={query.since}
      />
      <TextField
        name="until"
        label="Before"
        maxlength={20}
        placeholder="1d or 2026-11-23"
        value={query.until}
      />
      <TextField name="words" label="Words" maxlength={100} value={query.words} />
    </Search>
  );
}

const inWords = (values: readonly string[] = []) =>
  values.map((one) => [one, one.replaceAll("_", " ")] as const);

interface TableProps extends Pick<PartProps, "desk" | "place" | "path"> {
  answer: DeskAnswers["/cases"];
}

function Table({ desk, answer, path, place }: TableProps) {
  const { cases, count, channel, names, next } = answer;
  if (cases.length === 0) return <p class="empty">No cases.</p>;
  const { before: _, ...filter } = place.query;
  const file = (format: "csv" | "jsonl") => (
    <a href={withQuery(`/console/api${desk.base}/export/${format}`, { ...filter, channel })} download>
      {format.toUpperCase()}
    </a>
  );
  return (
    <>
      <p class="dim">
        <span role="status">
          {count === "1" ? "1 case" : `${count} cases`} of /{channel}.
        </span>{" "}
        As a file: {file("csv")} {file("jsonl")} (the newest 10,000 of them at most)
      </p>
      <table class="cases">
        <thead>
          <tr>
            <th>Case</th>
            <th>Target</th>
            <th>State</th>
            <th>By</th>
            <th>When</th>
            <th>Reason</th>
          </tr>
        </thead>
        <tbody>
          {cases.map((one) => {
            const at = `${path}/${encodeURIComponent(channel)}/${one.number}`;
            return (
              <tr key={one.number} data-item tabindex={0} data-open={at} class={one.isFailed ? "failed" : ""}>
                <th scope="row" data-label="Case">
                  <a href={at}>{one.number}</a> {one.kind}
                </th>
                <td data-label="Target">
                  <Words text={one.target || "–"} names={names} />
                </td>
                <td data-label="State">
                  <Words text={one.state} names={names} />
                </td>
                <td data-label="By">
                  <Words text={one.by} names={names} />
                </td>
                <td data-label="When">
                  <Words text={`<t:${Math.floor(one.at)}:R>`} />
                </td>
                <td data-label="Reason" class="reason">
                  {one.reason ?? "–"}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {next && (
        <MoreLink href={withQuery(path, { ...place.query, channel, before: next })}>Older ones</MoreLink>
      )}
    </>
  );
}

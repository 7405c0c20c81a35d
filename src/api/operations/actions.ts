import { discoverActions, discoverComposerActions, type Action } from "../../contract/actions.ts";
import type { Queryable } from "../../database/database.ts";
import { implement, read } from "../operation.ts";
import { listing } from "../store/paging.ts";

export const discoverActionsOperations = implement(discoverActions, {
  list: read(async ({ db }, { list, ...page }) => {
    const { rows, next } = await listActions(db, { list }, page);
    return { result: { actions: rows.map(toAction) }, ...next };
  }),
});

export const discoverComposerActionsOperations = implement(discoverComposerActions, {
  list: read(async ({ db }, { list, ...page }) => {
    const readPage = list === "top" ? listTopComposerActions : listFeaturedComposerActions;
    const { rows, next } = await readPage(db, { list }, page);
    return {
      result: { actions: rows.map((row) => ({ ...toAction(row), imageUrl: row.image_url })) },
      ...next,
    };
  }),
});

const actionColumns = [
  "name",
  "icon",
  "description",
  "about_url",
  "action_url",
  "action_type",
  "post_url",
] as const;

const listActions = listing({
  path: discoverActions.list.path,
  order: ["total_users", "id"],
  select: (db) => db.selectFrom("network.actions").select(actionColumns),
});

const listTopComposerActions = listing({
  path: discoverComposerActions.list.path,
  order: ["total_users", "id"],
  select: selectComposerActions,
});

const listFeaturedComposerActions = listing({
  path: discoverComposerActions.list.path,
  order: ["featured_rank", "id"],
  direction: "asc",
  select: (db) => selectComposerActions(db).where("featured_rank", "is not", null),
});

function selectComposerActions(db: Queryable) {
  return db.selectFrom("network.composer_actions").select([...actionColumns, "image_url"]);
}

type ActionRow = Omit<Action, "aboutUrl" | "actionUrl" | "action"> & {
  about_url: string;
  action_url: string;
  action_type: "post";
  post_url: string;
};

function toAction({
  name,
  icon,
  description,
  about_url,
  action_url,
  action_type,
  post_url,
}: ActionRow): Action {
  return {
    name,
    icon,
    description,
    aboutUrl: about_url,
    actionUrl: action_url,
    action: { actionType: action_type, postUrl: post_url },
  };
}

import { discoverActions, discoverComposerActions, type Action } from "../../contract/actions.ts";
import { implement, read } from "../operation.ts";
import { readPage } from "../store/paging.ts";

export const discoverActionsOperations = implement(discoverActions, {
  list: read(async ({ db }, { list, ...page }) => {
    const actions = db.selectFrom("network.actions").select(actionColumns);
    const { rows, next } = await readPage(actions, {
      listing: [discoverActions.list.path, list],
      order: ["total_users", "id"],
      ...page,
    });
    return { result: { actions: rows.map(toAction) }, ...next };
  }),
});

export const discoverComposerActionsOperations = implement(discoverComposerActions, {
  list: read(async ({ db }, { list, ...page }) => {
    const actions = db.selectFrom("network.composer_actions").select([...actionColumns, "image_url"]);
    const { rows, next } = await (list === "top"
      ? readPage(actions, {
          listing: [discoverComposerActions.list.path, list],
          order: ["total_users", "id"],
          ...page,
        })
      : readPage(actions.where("featured_rank", "is not", null), {
          listing: [discoverComposerActions.list.path, list],
          order: ["featured_rank", "id"],
          direction: "asc",
          ...page,
        }));
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

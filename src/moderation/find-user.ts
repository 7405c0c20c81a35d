import type { BotContext } from "../bot-context.ts";
import { AppError, asAppError } from "../errors.ts";
import { readNames, type User } from "../observe/people.ts";

/** Finds a user by fid, @name or profile link: among the names seen so far, then in the registry. */
export async function findUser(context: BotContext, text: string): Promise<User> {
  const typed = readUser(context, text);
  if ("fid" in typed) return { fid: typed.fid, name: await findName(context, typed.fid) };
  const known = await context.database.query
    .selectFrom("castellan.names")
    .select("fid")
    .where("name", "=", typed.name)
    .executeTakeFirst();
  const fid = known?.fid ?? (await askRegistry(context, { name: typed.name }))?.fid;
  if (fid) return { fid, name: (await readNames(context.database.query, [fid])).get(fid) ?? typed.name };
  throw new AppError("invalid_input", `Nobody holds the name ${typed.name} now. A fid works too.`);
}

function readUser({ settings }: BotContext, text: string): { fid: number } | { name: string } {
  const link = `${settings.linkBase.replace(/\/$/, "")}/`;
  const typed = text.trim().replace(/[?#].*$/, "");
  const word = typed.startsWith(link) ? typed.slice(link.length) : typed;
  const profile = /^~\/profiles\/([0-9]+)\/?$/.exec(word);
  const fid = profile?.[1] ?? (/^(?:fid\s*)?([0-9]+)$/i.exec(word)?.[1] || "");
  if (fid !== "" && Number.isSafeInteger(Number(fid)) && Number(fid) > 0) return { fid: Number(fid) };
  const name = /^@?([a-z0-9][a-z0-9.-]{0,39})\/?$/i.exec(word)?.[1];
  if (name && fid === "") return { name: name.toLowerCase() };
  throw new AppError(
    "invalid_input",
    `Unknown user. Give a fid (7), a name (@alice) or a profile link (${link}alice).`,
  );
}

/** The name that a user goes by, if any: of those that were seen, else the registry's. */
export async function findName(context: BotContext, fid: number): Promise<string | undefined> {
  const name = (await readNames(context.database.query, [fid])).get(fid);
  if (name !== undefined) return name;
  try {
    return (await askRegistry(context, { fid }))?.name;
  } catch (error) {
    // A name is only for people: without the registry the fid alone has to do.
    context.log.warn({ err: error, fid }, "the registry cannot be asked for a name");
    return undefined;
  }
}

async function askRegistry(
  { network }: BotContext,
  asked: { name: string } | { fid: number },
): Promise<{ fid: number; name: string } | undefined> {
  try {
    const { transfer } = await network.transfers.current(asked);
    return transfer.to === 0 ? undefined : { fid: transfer.to, name: transfer.username };
  } catch (error) {
    if (asAppError(error, "not_found", "invalid_request", "USERNAME_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Users whose name begins like this, for autocomplete. */
export async function suggestUsers(
  { database }: BotContext,
  typed: string,
): Promise<{ fid: number; name: string }[]> {
  const prefix = typed.trim().replace(/^@/, "").toLowerCase();
  const byFid = /^[0-9]{1,16}$/.test(prefix) ? Number(prefix) : undefined;
  const rows = await database.query
    .selectFrom("castellan.names")
    .select(["fid", "name"])
    .where((is) =>
      is.or([
        is("name", "like", `${prefix.replace(/[\\%_]/g, "\\$&")}%`),
        ...(byFid === undefined ? [] : [is("fid", "=", byFid)]),
      ]),
    )
    .orderBy("name")
    .limit(25)
    .execute();
  return rows;
}

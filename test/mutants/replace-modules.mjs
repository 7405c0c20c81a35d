const own = {
  vitest: "test/mutants/vitest.ts",
  "./database.ts": "test/mutants/kept-database.ts",
  "../../support/database.ts": "test/mutants/kept-database.ts",
};

/**
 * Gives the tests a vitest that can be run again and again, and a database that stays. Whatever a mutant's own modules
 * import is loaded for it anew.
 */
export async function resolve(specifier, context, next) {
  const parent = context.parentURL ?? "";
  const fromTests = /\/test\/(rules|retention|support)\//.test(parent);
  const path = fromTests ? own[specifier] : undefined;
  const root = parent.slice(0, parent.lastIndexOf("/test/"));
  const found = await next(path ? `${root}/${path}` : specifier, context);
  const mutant = /\?mutant=\d+$/.exec(parent)?.[0];
  const isOurs = found.url.startsWith("file:") && !found.url.includes("/node_modules/");
  return mutant && isOurs && !found.url.endsWith(mutant) ? { ...found, url: found.url + mutant } : found;
}

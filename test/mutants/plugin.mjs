import { register as registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { register as registerTypeScript } from "tsx/esm/api";

/** Modules that were loaded stay for good: after so many loads a fresh process goes on. */
const mostLoads = 40;

/** Runs tests in Stryker's own worker process, which loads them and starts their database once for all mutants. */
class InProcessRunner {
  #loads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    registerTypeScript();
    registerHooks("./replace-modules.mjs", import.meta.url);
  }

  async dryRun() {
    const { dryRun } = await this.#load("");
    return dryRun();
  }

  async mutantRun(options) {
    const { id } = options.activeMutant;
    const isStatic = options.mutantActivation === "static";
    const namespace = (globalThis["__stryker__"] ??= {});
    namespace.activeMutant = isStatic ? id : undefined;
    if (isStatic && (this.#loads += 1) > mostLoads) process.exit(1);
    const { runMutant } = await this.#load(isStatic ? `?mutant=${id}` : "");
    return runMutant(options);
  }

  /** From the sandbox, in which the product is broken. */
  #load(query) {
    return import(pathToFileURL(resolve("test/mutants/run-tests.ts")).href + query);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner)];

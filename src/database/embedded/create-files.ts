/**
 * The process that makes a database's files (initdb) and exits: `create-files <directory>`. A process, because the
 * several hundred megabytes that this takes are given back only with the process.
 */
import { PGlite } from "@electric-sql/pglite";
import { engineOptions } from "./pglite.ts";

const instance = await PGlite.create(process.argv[2], engineOptions);
await instance.close();

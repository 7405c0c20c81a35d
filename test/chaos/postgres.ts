import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";

/** Control over the PostgreSQL of `.ci/services.sh`. */
export interface Postgres {
  /** Runs a statement as its administrator, on the database that is named, and returns the rows. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  /** A connection that stays open. */
  connect(database?: string): Promise<Client>;
  /** Stops it like this, and starts it again with the same settings. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  /** Kills the server's first process. It must be restarted. */
  kill(): void;
  /** Suspends all of its processes; returns a function that resumes them. */
  suspend(): () => void;
}

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

export async function controlPostgres(server: string): Promise<Postgres> {
  const open = async (database?: string) => {
    const url = database === undefined ? server : databaseUrl(server, database);
    const client = new Client({ connectionString: url, application_name: "chaos" });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const query = async (statement: string, database?: string) => {
    const client = await open(database);
    try {
      const { rows } = await client.query<Record<string, unknown>>(statement);
      return rows;
    } finally {
      await client.end();
    }
  };
  const [{ data_directory: data = "" } = {}] = await query("show data_directory");
  const [{ version = "" } = {}] = await query("select split_part(version(), ' ', 2) as version");
  const control = `/usr/lib/postgresql/${String(version).split(".")[0]}/bin/pg_ctl`;
  const postmaster = () => Number(readFileSync(join(String(data), "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    query,
    connect: open,
    async restart(mode) {
      const words = [control, "-D", String(data), "-m", mode, "-w", "-s", "-l", "/dev/null", "restart"];
      // PostgreSQL refuses to run as root.
      const [command = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...words] : words;
      // After a kill, children of the old server may not have ended yet.
      for (let left = 10; ; left -= 1) {
        try {
          return void (await run(command, rest, { cwd: "/" }));
        } catch (error) {
          if (left === 0) throw error;
          await sleep(1_000);
        }
      }
    },
    kill: () => void process.kill(postmaster(), "SIGKILL"),
    suspend() {
      const pids = [postmaster(), ...childrenOf(postmaster())];
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      return () => {
        for (const pid of pids) process.kill(pid, "SIGCONT");
      };
    },
  };
}

export function databaseUrl(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid)) return false;
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** A disk of its own for one database, which can be filled. */
export interface SmallDisk {
  /** What `create database` needs to use it; empty where nobody may mount a disk. */
  clause: string;
  /** Fills it; returns a function that frees it. */
  fill(): Promise<() => Promise<void>>;
}

export async function mountSmallDisk(postgres: Postgres, directory: string): Promise<SmallDisk> {
  const disk = join(directory, "disk");
  if (!isRoot) {
    const fill = () => Promise.reject(new Error("only root can mount a disk to fill"));
    return { clause: "", fill };
  }
  await mkdir(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=777", "tmpfs", disk]);
  process.once("exit", () => void execFileSync("umount", ["-l", disk]));
  const place = join(disk, "tablespace");
  execFileSync("install", ["-d", "-o", "postgres", "-m", "700", place]);
  execFileSync("chmod", ["711", directory]);
  await postgres.query(`create tablespace small location '${place}'`);
  return {
    clause: "tablespace small",
    async fill() {
      const ballast = join(disk, "ballast");
      const { bavail, bsize } = await statfs(disk);
      // The database may take some of it first.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
      return () => rm(ballast);
    },
  };
}

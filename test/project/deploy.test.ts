import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { settingNames } from "../../src/config.ts";

const read = (path: string) => readFileSync(path, "utf8");
const roles = ["start", "api", "bot", "worker"];

/** Names in these files that look like settings and are not Castellan's. */
const ofOthers = new Set(
  `POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB REDIS_PASSWORD REDISCLI_AUTH CONSOLE_DOMAIN CONSOLE_UPSTREAM NETWORK_DOMAIN
  NETWORK_UPSTREAM NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_ CASTELLAN_MAIN
  HOW_MANY NET_BIND_SERVICE DAC_OVERRIDE AF_INET AF_INET6 AF_UNIX API_PORT
  OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG OTEL_EXPORTER_OTLP_TIMEOUT`.split(
    /\s+/,
  ),
);

it("every setting that a deployment, or a page about operating, names exists", () => {
  const folders = ["deploy", "docs/operate"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("monitoring"))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  const unknown = ["docker-compose.yml", "Dockerfile", ...folders].flatMap((path) =>
    [...read(path).matchAll(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]*)+\b/g)]
      .filter(([name]) => !settingNames.includes(name) && !ofOthers.has(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it("the image's build is given every file that it copies", () => {
  const given = read(".dockerignore")
    .split("\n")
    .flatMap((line) => /^!(.+)$/.exec(line)?.slice(1) ?? []);
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  expect(copied).toContain("package.json");
  const missing = copied.filter((path) => !given.some((one) => path === one || path.startsWith(`${one}/`)));
  expect([...missing, ...copied.filter((path) => !existsSync(path))]).toEqual([]);
});

const Service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.unknown()),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.unknown()).default({}),
});

describe.each(["docker-compose.yml", "deploy/compose.fleet.yml"])("%s", (path) => {
  const compose = Compose.parse(parse(read(path), { merge: true }));

  it("gives Castellan nothing but settings, and roles that it has", () => {
    const ours = Object.values(compose.services).filter(({ build }) => build !== undefined);
    expect(ours).not.toEqual([]);
    for (const { environment, command = ["start"] } of ours) {
      expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
      expect(roles).toContain(command[0]);
    }
  });

  it("declares every service, volume and network that it uses", () => {
    for (const { depends_on: others, networks, volumes } of Object.values(compose.services)) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(others)));
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
      const sources = volumes.map((volume) => volume.split(":")[0] ?? "");
      const files = sources.filter((source) => source.startsWith("./"));
      expect(files.filter((file) => !existsSync(`deploy/${file}`))).toEqual([]);
      const named = sources.filter((source) => !files.includes(source));
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
    }
  });
});

describe("the Kubernetes manifests", () => {
  const folder = "deploy/kubernetes";
  const objects = readdirSync(folder)
    .flatMap((name) =>
      parseAllDocuments(read(`${folder}/${name}`)).map((document) => document.toJS() as unknown),
    )
    .map((each) => z.looseObject({ apiVersion: z.string(), kind: z.string() }).parse(each));
  const ofKind = <T>(kind: string, schema: z.ZodType<T>): T[] =>
    objects.filter((each) => each.kind === kind).map((each) => schema.parse(each));
  const Labels = z.record(z.string(), z.string());
  const deployments = ofKind(
    "Deployment",
    z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({
        selector: z.object({ matchLabels: Labels }),
        template: z.object({
          metadata: z.object({ labels: Labels }),
          spec: z.object({
            containers: z.tuple([
              z.object({
                args: z.tuple([z.string()]),
                ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
                livenessProbe: z.object({ httpGet: z.object({ path: z.literal("/healthcheck") }) }),
                readinessProbe: z.object({ httpGet: z.object({ path: z.literal("/readycheck") }) }),
              }),
            ]),
          }),
        }),
      }),
    }),
  );
  const services = ofKind(
    "Service",
    z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({
        selector: Labels,
        ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() })),
      }),
    }),
  );

  it("are all part of the kustomization", () => {
    const [{ resources } = { resources: [] }] = ofKind(
      "Kustomization",
      z.object({ resources: z.array(z.string()) }),
    );
    expect(["kustomization.yaml", ...resources].toSorted()).toEqual(readdirSync(folder).toSorted());
  });

  it("run each role in pods that its deployment finds", () => {
    expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual(["api", "bot", "worker"]);
    for (const { metadata, spec } of deployments) {
      expect(spec.template.spec.containers[0].args).toEqual([metadata.name]);
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    }
  });

  it("lead each service to a port of its pods, and the ingress to services", () => {
    for (const { spec } of services) {
      const pods = deployments.filter(
        ({ spec: { selector } }) => JSON.stringify(selector.matchLabels) === JSON.stringify(spec.selector),
      );
      const ports = pods.flatMap(({ spec: { template } }) =>
        template.spec.containers[0].ports.map(({ name }) => name),
      );
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
    const known = services.flatMap(({ metadata, spec }) =>
      spec.ports.map(({ name }) => `${metadata.name} ${name}`),
    );
    const used = [
      ...read(`${folder}/ingress.yaml`).matchAll(/service: \{ name: (\w+), port: \{ name: (\w+)/g),
    ];
    expect(used).toHaveLength(2);
    for (const [, name, port] of used) expect(known).toContain(`${name} ${port}`);
  });

  it("configure nothing but settings", () => {
    const [config] = ofKind("ConfigMap", z.object({ data: z.record(z.string(), z.string()) }));
    expect(Object.keys(config?.data ?? {}).filter((name) => !settingNames.includes(name))).toEqual([]);
  });
});

it("the systemd units start the package's program, and a script and a service that exist", () => {
  const folder = "deploy/systemd";
  const valueOf = (unit: string, name: string) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(read(`${folder}/${unit}`))?.[1]?.split(" ") ?? [];
  const { bin } = z
    .object({ bin: z.object({ castellan: z.string() }) })
    .parse(JSON.parse(read("package.json")));
  const [node, ...program] = valueOf("castellan.service", "ExecStart");
  expect(node).toBe("/usr/bin/node");
  expect(program.slice(-2)).toEqual([`/opt/castellan/node_modules/castellan/${bin.castellan}`, "start"]);
  // Both read the same settings, which may name files relative to it, and its .env.
  expect(valueOf("castellan-backup.service", "WorkingDirectory")).toEqual(
    valueOf("castellan.service", "WorkingDirectory"),
  );
  const [script = ""] = valueOf("castellan-backup.service", "ExecStart");
  accessSync(`${folder}/${basename(script)}`, constants.X_OK);
  // Each run has a file of its own, so nobody else would delete the part that a killed run left.
  expect(read(`${folder}/${basename(script)}`)).toContain("*.unfinished");
  // A timer without a name in it starts the service of its own name.
  expect(existsSync(`${folder}/castellan-backup.timer`)).toBe(true);
});

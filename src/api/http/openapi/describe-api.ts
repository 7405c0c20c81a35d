import { contract, operatorContract } from "../../../contract/index.ts";
import type { Endpoint, EndpointGroups, Interface } from "../../../contract/endpoint.ts";
import { describeEndpoint } from "./describe-endpoint.ts";
import { errorSchemas } from "./describe-errors.ts";

/**
 * The three interfaces and the operator's routes as an OpenAPI 3.1 document, made from the contract. `guide` is
 * Markdown to show below the introduction.
 */
export function describeApi(guide: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { group, name, endpoint } of listEndpoints()) {
    for (const path of [endpoint.path, ...endpoint.aliases]) {
      const method = endpoint.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: describeEndpoint(group, name, endpoint, path) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Castellan's embedded network",
      version: "1.0.0",
      description: `The client API of a social network, its name registry and its hub events, on one origin. Times are UNIX seconds unless a field says otherwise.\n\n${guide}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The instance that serves this document" }],
    tags: Object.entries(groups).map(([name, calls]) => ({ name, description: describeGroup(calls) })),
    paths,
    components: {
      securitySchemes: {
        app_key: {
          type: "http",
          scheme: "bearer",
          description: "Self-signed with an application key: base64url header.payload.signature (Ed25519)",
        },
        operator: { type: "http", scheme: "bearer", description: "The operator's token" },
      },
      schemas: Object.fromEntries(
        Object.entries(errorSchemas).map(([name, schema]) => [`${name}Error`, schema]),
      ),
    },
  };
}

const groups: EndpointGroups = { ...contract, ...operatorContract };

const interfaceTitles: Record<Interface, string> = {
  client: "Client API",
  registry: "Name registry",
  hub: "Hub events",
  operator: "Operator's routes",
};

/** Every endpoint of the contract and the operator's routes, with its group. */
function listEndpoints(): { group: string; name: string; endpoint: Endpoint }[] {
  return Object.entries(groups).flatMap(([group, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => ({ group, name, endpoint })),
  );
}

function describeGroup(calls: Record<string, Endpoint>): string {
  const [first] = Object.values(calls);
  return first ? interfaceTitles[first.interface] : "";
}

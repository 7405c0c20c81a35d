declare global {
  /** What Scalar's script defines. */
  var Scalar: { createApiReference(element: HTMLElement, configuration: object): unknown };
}

// Not by full addresses: a proxy may serve all of this below a path.
const origin = new URL(".", location.href).href.replace(/\/$/, "");

export const reference = globalThis.Scalar.createApiReference(
  document.body.appendChild(document.createElement("main")),
  {
    url: `${origin}/openapi.json`,
    servers: [{ url: origin }],
    // Nothing is fetched from other origins, and nothing is sent there.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    hideModels: true,
    documentDownloadType: "direct",
  },
);

declare global {
  /** Defined by Scalar's script. */
  var Scalar: { createApiReference(element: HTMLElement, configuration: object): unknown };
}

// Relative addresses, because a proxy may serve all of this below a path.
const origin = new URL(".", location.href).href.replace(/\/$/, "");

export const reference = globalThis.Scalar.createApiReference(
  document.body.appendChild(document.createElement("main")),
  {
    url: `${origin}/openapi.json`,
    servers: [{ url: origin }],
    // Nothing is requested from or sent to other origins.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    hideModels: true,
    documentDownloadType: "direct",
  },
);

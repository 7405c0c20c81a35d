// @ts-nocheck
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser of the machine, or undefined where it has none: none comes with the project. */
export const browserPath = process.env["CHROMIUM"] ?? places.find((place) => existsSync(place));

export function openBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
  ];
  return chromium.launch({ ...(browserPath ? { executablePath: browserPath } : {}), args });
}

/** Whether the pictures of the documentation are taken anew. */
export const takesPictures = process.env["PICTURES"] === "1";

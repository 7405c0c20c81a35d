/** One line that fills while bytes go by; plain lines of nothing where the output is no terminal. */
// @ts-nocheck

export class ProgressBar {
  readonly #out: NodeJS.WriteStream;
  readonly #label: string;
  readonly #total: number | undefined;
  #done = 0;

  constructor(out: NodeJS.WriteStream, label: string, total: number | undefined) {
    this.#out = out;
    this.#label = label;
    this.#total = total;
  }

  advance(bytes: number): void {
    this.#done += bytes;
    this.#draw();
  }

  finish(): void {
    if (this.#out.isTTY) this.#out.write("\n");
  }

  #draw(): void {
    if (!this.#out.isTTY) return;
    const size = `${(this.#done / 1024).toFixed(0)} KiB ${this.#label}`;
    if (this.#total === undefined || this.#total === 0) {
      this.#out.write(`\r${size}`);
      return;
    }
    const filled = Math.round((30 * this.#done) / this.#total);
    this.#out.write(`\r[${"#".repeat(filled)}${" ".repeat(Math.max(0, 30 - filled))}] ${size}`);
  }
}

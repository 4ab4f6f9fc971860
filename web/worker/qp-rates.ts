/** Counts bytes to each QP over time, in bins whose width doubles when the capture gets longer. */
import { PS_PER_SECOND } from '../../src/units.js';

const BINS = 256;
const FIRST_BIN_PS = 1e6;
const BITS = 8;
const QPS_MAX = 2000;

export class WireRates {
  readonly #bytes = new Map<string, Float64Array>();
  #binPs = FIRST_BIN_PS;
  #lastPs = 0;

  add(name: string, sincePs: number, lenBytes: number): void {
    if (!(sincePs >= 0)) return;
    while (sincePs >= BINS * this.#binPs) this.#double();
    this.#lastPs = Math.max(this.#lastPs, sincePs);
    const bins = this.#bytes.get(name) ?? this.#make(name);
    const bin = Math.floor(sincePs / this.#binPs);
    if (bins !== undefined) bins[bin] = (bins[bin] ?? 0) + lenBytes;
  }

  /** Ends of the bins, picoseconds. */
  timesPs(): Float64Array {
    return Float64Array.from({ length: this.#count() }, (_, bin) => (bin + 1) * this.#binPs);
  }

  rateBps(name: string): Float64Array {
    const bins = this.#bytes.get(name) ?? new Float64Array(BINS);
    return bins.slice(0, this.#count()).map((bytes) => (bytes * BITS * PS_PER_SECOND) / this.#binPs);
  }

  #count(): number {
    return Math.min(BINS, Math.floor(this.#lastPs / this.#binPs) + 1);
  }

  #make(name: string): Float64Array | undefined {
    if (this.#bytes.size >= QPS_MAX) return undefined;
    const bins = new Float64Array(BINS);
    this.#bytes.set(name, bins);
    return bins;
  }

  #double(): void {
    this.#binPs *= 2;
    for (const bins of this.#bytes.values()) {
      for (let bin = 0; bin < BINS / 2; bin++) bins[bin] = (bins[2 * bin] ?? 0) + (bins[2 * bin + 1] ?? 0);
      bins.fill(0, BINS / 2);
    }
  }
}

/** Typed views on linear memory that may grow: a simulator's memory grows with the packets in flight. */
export class LinearMemory {
  f64: Float64Array = new Float64Array(0);
  u32: Uint32Array = new Uint32Array(0);
  u8: Uint8Array = new Uint8Array(0);
  readonly #memory: { readonly buffer: ArrayBuffer };

  constructor(memory: { readonly buffer: ArrayBuffer }) {
    this.#memory = memory;
    this.refresh();
  }

  /** Call it before the views are used: they are detached when the memory grows. */
  refresh(): void {
    if (this.f64.length !== 0) return;
    const { buffer } = this.#memory;
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }
}

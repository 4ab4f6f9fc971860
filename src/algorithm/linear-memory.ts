/** Typed views on linear memory that grows: a simulator's does, for packets in flight. */
export class LinearMemory {
  f64: Float64Array = new Float64Array(0);
  u32: Uint32Array = new Uint32Array(0);
  u8: Uint8Array = new Uint8Array(0);
  readonly #memory: { readonly buffer: ArrayBuffer };

  constructor(memory: { readonly buffer: ArrayBuffer }) {
    this.#memory = memory;
    this.refresh();
  }

  /** To be called before the views are used: growing has detached them. */
  refresh(): void {
    if (this.f64.length !== 0) return;
    const { buffer } = this.#memory;
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }
}

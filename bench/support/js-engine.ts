/** The js backend in the benchmark's clothes: an engine whose state can be put back. */
import type { Backend } from '../../src/abi/engine-abi.js';
import { engineConfig, type EngineOptions } from '../../src/config/engine-config.js';
import { Engine } from '../../src/engine/engine.js';
import { referenceBackend } from '../../src/reference/index.js';
import { ALL_PARTS } from '../../src/engine/parts.js';

export class JsEngine {
  readonly engine: Engine;
  readonly #backend: Backend;
  #saved: Uint8Array | undefined;

  constructor(options: EngineOptions) {
    const config = engineConfig({ hashSeed: 1, backend: referenceBackend, ...options });
    this.#backend = referenceBackend.create(config);
    this.engine = new Engine(this.#backend, config, ALL_PARTS);
  }

  save(): void {
    this.#saved = this.#backend.save();
  }

  restore(): void {
    if (this.#saved !== undefined) this.#backend.load(this.#saved, 16, 0xffff);
  }
}

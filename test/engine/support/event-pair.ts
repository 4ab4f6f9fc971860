/** A wasm and a js engine that must agree, with events written to their memory past the checks of `engine.events`. */
import { expect } from 'vitest';
import type { Backend } from '../../../src/abi/engine-abi.js';
import { EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, REGION_EVENTS } from '../../../src/abi/layout.js';
import { engineConfig } from '../../../src/config/engine-config.js';
import { instantiateSync } from '../../../src/engine/instantiate.js';
import { regionAddress, viewMemory } from '../../../src/engine/memory-views.js';
import { WasmBackend } from '../../../src/engine/wasm-backend.js';
import { Engine, type EngineOptions } from '../../../src/index.js';
import { referenceBackend } from '../../../src/reference/index.js';
import { describeEngine } from './herd.js';
import { ALL_PARTS } from '../../../src/engine/parts.js';
import { ENGINE_WASM_TEXT } from '../../../src/engine/wasm-bytes.js';

interface Member {
  readonly engine: Engine;
  readonly backend: Backend;
}

export class EventPair {
  readonly #members: readonly [Member, Member];

  constructor(options: Omit<EngineOptions, 'backend' | 'hashSeed'>) {
    const config = engineConfig({ ...options, hashSeed: 42 });
    const jsConfig = engineConfig({ ...options, hashSeed: 42, backend: referenceBackend });
    const member = (backend: Backend, of: typeof config): Member => ({
      engine: new Engine(backend, of, ALL_PARTS),
      backend,
    });
    this.#members = [
      member(new WasmBackend(instantiateSync(ENGINE_WASM_TEXT)), config),
      member(referenceBackend.create(jsConfig), jsConfig),
    ];
  }

  get first(): Engine {
    return this.#members[0].engine;
  }

  step(step: (engine: Engine) => unknown): void {
    for (const { engine } of this.#members) step(engine);
  }

  /** Changes kind and value of the last added event to codes that no method of `events` writes. */
  rewriteLast(kind: number, value: number): void {
    for (const { engine, backend } of this.#members) {
      const views = viewMemory(backend.abi);
      const at = regionAddress(views, REGION_EVENTS) + (engine.events.length - 1) * EVENT_BYTES;
      views.u32[(at + EVENT_ARG) >>> 2] = ((kind << EVENT_KIND_SHIFT) | value) >>> 0;
    }
  }

  /** Both engines must be equal, and every input must be counted in exactly one outcome. */
  check(): void {
    const [wanted, got] = this.#members.map(({ engine }) => describeEngine(engine));
    if (JSON.stringify(got) !== JSON.stringify(wanted)) expect(got).toStrictEqual(wanted);
    for (const { engine } of this.#members) {
      const { eventsIn, packetsIn, handled, ignored, rejected } = engine.stats();
      expect(handled + ignored + rejected).toBe(eventsIn + packetsIn);
    }
  }

  /** Restores each engine from its own snapshot. */
  restore(): void {
    for (const { engine } of this.#members) engine.restore(engine.snapshot());
  }
}

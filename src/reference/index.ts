/**
 * roce-cc/reference: the readable models as a backend for engines and congestion points.
 *
 * @packageDocumentation
 */
import type { CongestionPointBackend } from '../config/congestion-decision.js';
import type { EngineBackend } from '../config/engine-config.js';
import { ReferenceBackend } from './backend/backend.js';
import { CongestionPointModel } from './cp/congestion-point.js';

/**
 * The readable reference models with the interface of engine.wasm: the same results, bit for bit, without WebAssembly.
 *
 * @example
 * const engine = createEngineSync({ backend: referenceBackend, parameterSets: { default: hpccNs3({ lineRateBps: 1e11 }) } });
 */
export const referenceBackend: EngineBackend & CongestionPointBackend = Object.freeze({
  name: 'js',
  create: (config) => new ReferenceBackend(config),
  createCongestionPoint: (ports, flows, config) => new CongestionPointModel(ports, flows, config),
} satisfies EngineBackend & CongestionPointBackend);

/**
 * Types of the classic script `roce-cc/browser/roce-cc-sim.js`, which sets one global. TypeScript knows it by
 * `/// <reference types="roce-cc/browser/roce-cc-sim.js" />`, or with that name in `compilerOptions.types`.
 *
 * @packageDocumentation
 */
import type * as Simulator from '../sim/index.js';

declare global {
  /** All exports of `roce-cc/sim`. */
  const roceCcSim: typeof Simulator;
}

/** Loads WebAssembly modules with custom algorithms, and makes them safe to bind. */
export { CALL_DEPTH_MAX, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP } from './abi.js';
export { checkModule } from './check.js';
export { inspectModule } from './inspect.js';
export { meterModule } from './meter.js';

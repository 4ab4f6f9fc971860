/** Takes a WebAssembly module with a custom algorithm from outside and makes it safe to bind. */
export { CALL_DEPTH_MAX, FUEL_EXHAUSTED, FUEL_NAME, FUEL_STACK_OVERFLOW, FUEL_TOO_DEEP, HANDLER_NAMES, REGION_ADDRESS,
  REGION_BYTES, VERSION_NAME, type HandlerName } from './abi.js';
export { checkModule, type CheckedModule, type ModuleCheckOptions } from './check.js';
export { inspectModule } from './inspect.js';
export { meterModule } from './meter.js';
export type { ByteRange, DataSegment, ElementSegment, ItemKind, Limits, ModuleExport, ModuleFacts, ModuleGlobal,
  ModuleImport, Signature, StartFunction, ValueType } from './types.js';

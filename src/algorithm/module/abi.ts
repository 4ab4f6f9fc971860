/**
 * The interface between a custom algorithm's module and the host: names, signatures, memory
 * (docs/guides/your-own-algorithm.md).
 */
import type { Signature } from './binary-format.js';

/** Handlers of an algorithm; a module exports at least one of them. */
export const HANDLER_NAMES = [
  'roce_open',
  'roce_sent',
  'roce_ack',
  'roce_cnp',
  'roce_fast_cnp',
  'roce_loss',
  'roce_timer',
  'roce_nack',
] as const;

/** Handlers of a congestion point; a module exports at least one of them, and none of an algorithm's. */
export const POINT_HANDLER_NAMES = ['roce_enqueue', 'roce_dequeue'] as const;

/** Name of a handler that a module exports. */
export type HandlerName = (typeof HANDLER_NAMES)[number] | (typeof POINT_HANDLER_NAMES)[number];

/**
 * (record, parameters, time in ps, argument) -> result: for an algorithm 0 used, 1 not used, 2 no signal; for a
 * congestion point POINT_* bits.
 */
export const HANDLER_SIGNATURE: Signature = { parameters: ['i32', 'i32', 'f64', 'i32'], results: ['i32'] };

/** The function that returns the version of this interface. */
export const VERSION_NAME = 'roce_abi_version';
export const VERSION_SIGNATURE: Signature = { parameters: [], results: ['i32'] };

/** Prefix of the names above; no other export may have it. */
export const RESERVED_PREFIX = 'roce_';

/** The global that a metered module exports: the rest of the event's budget, or why the event was ended. */
export const FUEL_NAME = 'roce_fuel';
/** Value of the fuel global after an event that exceeded the budget of loop iterations and calls. */
export const FUEL_EXHAUSTED = -1;
/** Value of the fuel global after an event whose calls were nested more than `CALL_DEPTH_MAX` deep. */
export const FUEL_TOO_DEEP = -2;

/** Value of the fuel global after an event whose shadow stack went below the region of the module. */
export const FUEL_STACK_OVERFLOW = -3;

/** Module name of the only allowed import. */
export const MEMORY_MODULE = 'env';
export const MEMORY_NAME = 'memory';
export const PAGE_BYTES = 65536;

/** Static data and shadow stack of the first module; the regions of further modules follow. */
export { MODULE_REGION as REGION_ADDRESS, MODULE_REGION_BYTES as REGION_BYTES } from '../../abi/custom-layout.js';

/** Custom section with the algorithm's declaration as JSON. */
export const DECLARATION_SECTION = 'roce_cc_algorithm';

/** Maximum size of a module; most of it may be debug information. */
export const MODULE_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum size of its non-custom sections. */
export const SECTION_BYTES_MAX = 1024 * 1024;
/** Maximum number of function table entries. */
export const TABLE_ENTRIES_MAX = 65536;
/** Maximum number of parameters and locals of a function. */
export const LOCALS_MAX = 4096;
/** Maximum depth of nested calls, where functions are recursive, directly or not. */
export const CALL_DEPTH_MAX = 256;
/** A loop body or function costs one unit of the budget per this many instructions. */
export const INSTRUCTIONS_PER_UNIT = 1000;
/** Each 2^6 bytes filled or copied by one instruction cost a unit. */
export const BULK_BYTES_SHIFT = 6;

/**
 * Runs a scenario and reports each rate change with its reason, using the build of the simulator that traces them
 * (assembly/sim-trace.ts).
 */
import { TRACE_QP, REGION_TRACE, TRACE_BYTES } from '../abi/trace-layout.js';
import { reasonText, type BoundAlgorithms } from '../algorithm/bound.js';
import { checkRecord, reject } from '../config/field-rules.js';
import { checkWhole } from '../engine/engine-errors.js';
import { regionAddress, viewMemory, type MemoryViews } from '../engine/memory-views.js';
import { RateChangeReader } from '../engine/rate-change-reader.js';
import type { LostChanges, RateChange } from '../engine/rate-changes.js';
import type { CompiledScenario } from './compile/compile-scenario.js';
import type { SimAbi } from './kernel/sim-abi.js';
import type { Progress, SimResult } from './result.js';
import { simulate } from './run/run-scenario.js';

/** Largest index of a flow. */
const FLOW_MAX = 2 ** 24 - 1;

/** Capacity for changes of all flows during a slice: 6 MiB. */
export const TRACE_ROOM = 65_536;
/** Events per slice, few enough that their changes fit. */
export const EVENTS_PER_SLICE = 4_000;

/** What is traced, and the callback that receives it. */
export interface RateTraceOptions {
  /** The compiled module of `roce-cc/sim-trace.wasm`. */
  readonly module: object;
  /** The flow whose changes are reported. Default: all. */
  readonly flow?: number;
  /** Receives the changes in order; `qp` is the flow's index. If changes were lost, receives their number instead. */
  readonly onChange: (change: RateChange | LostChanges) => void;
  /** Ends the run between two slices. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a scenario on the calling thread, pausing between slices, and reports each change of a rate.
 *
 * @param compiled a scenario from `compileScenario`.
 * @returns a generator of progress that returns the result, which is the same as without a trace, including its hash.
 * @throws RoceError `invalid-config` for the options; `capacity`; errors of a custom algorithm.
 * @example
 * const module = await WebAssembly.compile(await readFile(new URL(import.meta.resolve('roce-cc/sim-trace.wasm'))));
 * const slices = traceRates(compileScenario(validateScenario(scenario)), { module, flow: 0, onChange: console.log });
 * while (slices.next().done !== true);
 */
export function traceRates(compiled: CompiledScenario, options: RateTraceOptions): Generator<Progress, SimResult> {
  checkRecord(options, 'options');
  const { module, flow, onChange } = options;
  if (!(module instanceof WebAssembly.Module))
    reject({ got: module, allowed: 'roce-cc/sim-trace.wasm, compiled', where: 'options.module' });
  if (typeof onChange !== 'function') reject({ got: onChange, allowed: 'a function', where: 'options.onChange' });
  if (flow !== undefined) checkWhole(flow, 0, FLOW_MAX, 'options.flow');
  return tracedSlices(compiled, options);
}

function* tracedSlices(compiled: CompiledScenario,
  { module, flow, onChange, signal }: RateTraceOptions): Generator<Progress, SimResult> {
  const abi = new WebAssembly.Instance(module).exports as unknown as SimAbi;
  let custom: BoundAlgorithms | undefined;
  const build = {
    abi,
    rateChanges: TRACE_ROOM,
    onCustom: (bound: BoundAlgorithms): void => {
      custom = bound;
    },
  };
  const textOf = (qp: number, reason: number): string | undefined => custom && reasonText(custom, qp, reason);
  const visit = (views: MemoryViews, at: number): void => {
    if (flow !== undefined && views.u32[(at + TRACE_QP) >>> 2] !== flow) return;
    onChange(new RateChangeReader(views, textOf).read(at));
  };
  const slices = simulate(compiled, { build, eventsPerSlice: EVENTS_PER_SLICE, ...(signal && { signal }) });
  for (;;) {
    const step = slices.next();
    const lost = takeRateRecords(abi, visit);
    if (lost > 0) onChange({ lost });
    if (step.done === true) return step.value;
    yield step.value;
  }
}

/**
 * Visits each record of a slice's changes (src/abi/trace-layout.ts), then frees the space.
 *
 * @returns the number of changes, of any flow, for which there was no space.
 */
export function takeRateRecords(abi: SimAbi, visit: (views: MemoryViews, at: number) => void): number {
  const count = abi.traceWritten?.() ?? 0;
  const lost = abi.traceLost?.() ?? 0;
  // Memory may have grown since, which detaches older views.
  const views = viewMemory(abi);
  const first = regionAddress(views, REGION_TRACE);
  for (let at = first; at < first + count * TRACE_BYTES; at += TRACE_BYTES) visit(views, at);
  abi.clearRateChanges?.();
  return lost;
}

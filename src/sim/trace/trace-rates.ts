/**
 * Runs a scenario and reports each rate change with its reason, using the build of the simulator that traces them
 * (assembly/sim-trace.ts).
 */
import { reasonText, type BoundAlgorithms } from '../../algorithm/bound.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import { checkWhole } from '../../engine/engine-errors.js';
import { TRACE_QP } from '../../abi/trace-layout.js';
import type { MemoryViews } from '../../engine/memory-views.js';
import { RateChangeReader } from '../../engine/rate-change-reader.js';
import type { RateChange } from '../../engine/rate-changes.js';
import type { LostChanges } from '../../engine/trace-lines.js';
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimAbi } from '../kernel/sim-abi.js';
import type { Progress, SimResult } from '../result.js';
import { simulate } from '../run/run-scenario.js';
import { EVENTS_PER_SLICE, takeRateRecords, TRACE_ROOM } from './rate-records.js';

/** Largest index of a flow. */
const FLOW_MAX = 2 ** 24 - 1;

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

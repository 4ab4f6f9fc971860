/** Repeats a run to trace every rate change of a flow with its reason, by the build of the simulator that traces. */
import { reasonText, type BoundAlgorithms } from '../../src/algorithm/bound.js';
import { CUSTOM_PREFIX } from '../../src/config/algorithms/custom/custom-parameters.js';
import { simulate, type CompiledScenario } from '../../src/sim/index.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';
import { EVENTS_PER_SLICE, TRACE_ROOM } from '../../src/sim/trace-rates.js';
import type { RateTrace } from '../protocol/run-protocol.js';
import { beat } from './beats.js';
import { RateRecorder } from './rate-recorder.js';
import { nextTurn } from './turns.js';

/** Slices of the run between handling of messages. */
const SLICES_PER_TURN = 10;

let module: Promise<WebAssembly.Module> | undefined;

/** @param simTrace bytes of build/sim-trace.wasm. @throws RoceError. */
export async function rateTrace(compiled: CompiledScenario, flow: number, simTrace: ArrayBuffer): Promise<RateTrace> {
  module ??= WebAssembly.compile(simTrace);
  const { exports } = await WebAssembly.instantiate(await module);
  const abi = exports as unknown as SimAbi;
  const recorder = new RateRecorder(abi, flow);
  let custom: BoundAlgorithms | undefined;
  const onCustom = (bound: BoundAlgorithms): void => {
    custom = bound;
  };
  const build = { abi, rateChanges: TRACE_ROOM, onCustom };
  const slices = simulate(compiled, { build, eventsPerSlice: EVENTS_PER_SLICE });
  beat('run');
  for (let slice = 1;; slice++) {
    const step = slices.next();
    recorder.drain();
    beat('run');
    if (step.done === true) {
      const { hash } = step.value;
      const { leftOut, lost } = recorder;
      const reasons = custom === undefined ? [] : reasonsOf(custom, flow);
      return {
        flow,
        algorithm: algorithmOf(compiled, flow),
        reasons,
        hash,
        records: recorder.records(),
        leftOut,
        lost,
      };
    }
    if (slice % SLICES_PER_TURN === 0) await nextTurn();
  }
}

function algorithmOf({ plan }: CompiledScenario, flow: number): string {
  const algorithm = plan.parameterSets[plan.flows.parameterSet[flow] ?? 0]?.algorithm ?? '';
  return algorithm.startsWith(CUSTOM_PREFIX) ? algorithm.slice(CUSTOM_PREFIX.length) : algorithm;
}

/** Texts of the reasons that the flow's algorithm has given. */
function reasonsOf(custom: BoundAlgorithms, flow: number): string[] {
  const texts: string[] = [];
  for (let text = reasonText(custom, flow, 1); text !== undefined; text = reasonText(custom, flow, texts.length + 1))
    texts.push(text);
  return texts;
}

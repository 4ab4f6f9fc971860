/**
 * roce-cc/dcqcn: a DCQCN-only engine, for applications that use no other algorithm: engine-dcqcn.wasm with DCQCN's
 * parameters and presets. Exports have the same names and behaviour as in roce-cc. Rate changes can't be traced.
 *
 * @packageDocumentation
 */
import type { EngineAbi } from './abi/engine-abi.js';
import { DCQCN_TABLE } from './config/algorithms/registry.js';
import type { DcqcnParameters } from './config/algorithms/dcqcn.js';
import { checkOptions, type EngineOptions } from './config/engine-config.js';
import { backendSync, handedIn, restoreWith } from './engine/backend-of-options.js';
import { dcqcnState } from './engine/dcqcn-state.js';
import { ENGINE_CORE_WASM_TEXT } from './engine/dcqcn-wasm-bytes.js';
import { Engine } from './engine/engine.js';
import { compiledModule, compiledModuleSync } from './engine/instantiate.js';
import type { EngineParts } from './engine/parts.js';
import { WasmBackend } from './engine/wasm-backend.js';

export type { Backend } from './abi/engine-abi.js';
export type { CauseName, ClassName, OutcomeName, WhyName } from './abi/names.js';
export type { DcqcnParameters, PresetOptions } from './config/algorithms/dcqcn.js';
export { dcqcnConnectx, type ConnectxOptions } from './config/algorithms/dcqcn/preset-connectx.js';
export { dcqcnIrdma, type IrdmaOptions } from './config/algorithms/dcqcn/preset-irdma.js';
export { DCQCN_NS3_SETS, dcqcnNs3, dcqcnNs3Custom, type DcqcnNs3Knobs,
  type DcqcnNs3Set } from './config/algorithms/dcqcn/preset-ns3.js';
export { dcqcnSigcomm15 } from './config/algorithms/dcqcn/preset-sigcomm15.js';
export { validateDcqcn } from './config/algorithms/dcqcn.js';
export type { Capacity, EngineBackend, EngineConfig, ParserSettings } from './config/engine-config.js';
export type { AccessRule, FastCnpSettings } from './config/fast-cnp.js';
export type { CnpSettings, NotificationPointOptions } from './config/notification-point.js';
export { Actions, type Action } from './engine/actions.js';
export { Engine } from './engine/engine.js';
export type { QpOptions } from './engine/qps.js';
export { EventBatch, type FastCnpFields, type LossFound } from './engine/event-batch.js';
export { PacketBatch, type FrameLink, type PacketReport } from './engine/packet-batch.js';
export type { FrameLocator, TunnelReport } from './abi/frame-locator.js';
export type { AlgorithmState } from './engine/algorithm-state.js';
export { QpView } from './engine/qps.js';
export type { Stats } from './engine/stats.js';
export * from './errors.js';
export { gbps, kB, MB, mbps, ms, ns, seconds, us } from './units.js';

/** Options of this entry's `createEngine`. */
export interface DcqcnEngineOptions extends Omit<EngineOptions, 'parameterSets' | 'telemetry' | 'trace'> {
  /** Parameter sets by name, at most 16; the first one is the default of `openQp`. */
  readonly parameterSets: Readonly<Record<string, DcqcnParameters>>;
}

const PARTS: EngineParts = { algorithms: DCQCN_TABLE, readAlgorithmState: dcqcnState };
/** Instantiates the engine directly: the general loader would add a twelfth to this entry's size. */
const instantiate = (): EngineAbi => exportsOf(new WebAssembly.Instance(compiledModuleSync(ENGINE_CORE_WASM_TEXT)));
const exportsOf = ({ exports }: WebAssembly.Instance): EngineAbi => exports as unknown as EngineAbi;

/**
 * Creates an engine. Compiles the module off this thread if the host supports it.
 *
 * @throws RoceError `invalid-config` naming the bad value, `capacity` if there is not enough memory.
 */
export async function createEngine(options: DcqcnEngineOptions): Promise<Engine> {
  const config = checkOptions(options, DCQCN_TABLE);
  const backend = handedIn(options, config) ??
    new WasmBackend(exportsOf(await WebAssembly.instantiate(await compiledModule(ENGINE_CORE_WASM_TEXT))));
  return new Engine(backend, config, PARTS);
}

/** Creates an engine synchronously. @see createEngine */
export function createEngineSync(options: DcqcnEngineOptions): Engine {
  const config = checkOptions(options, DCQCN_TABLE);
  return new Engine(backendSync(options, config, instantiate), config, PARTS);
}

/**
 * Creates an engine that resumes from a snapshot.
 *
 * @throws RoceError `snapshot-mismatch` if another build or backend took it.
 */
export function restoreEngineSync(snapshot: Uint8Array, options: Pick<EngineOptions, 'backend'> = {}): Engine {
  return restoreWith(snapshot, options, PARTS, instantiate);
}

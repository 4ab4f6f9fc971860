/**
 * A switch's congestion point: decides per packet at an egress queue whether to mark CE, send a Fast CNP, both, or
 * neither.
 *
 * It only decides; `fastCnpFor` of roce-cc/wire builds the packet. Source: Fast CNP draft, sections 4 and 5.
 */
import { CAPABILITY_ABLE, CAPABILITY_UNABLE, CAPABILITY_UNKNOWN, CP_MARK_CE, CP_REASON_SHIFT,
  CP_SEND_FAST_CNP } from '../abi/codes.js';
import { CONGESTION_POINT, TOKEN_BUCKET } from '../abi/records/congestion-point.js';
import { FIXED_END } from '../abi/layout.js';
import { resolveCongestionPointConfig, writeCongestionPointConfig,
  type CongestionPointConfig } from '../config/congestion-point.js';
import { REASON_NAMES, type CongestionDecision, type CongestionEvent, type CongestionPoint,
  type CongestionPointBackend } from '../config/congestion-decision.js';
import { unknownBackend } from '../config/engine-config.js';
import { checkObject, checkWhole, invalid, noMemory } from './engine-errors.js';
import { instantiateSync } from './instantiate.js';
import { ENGINE_WASM_TEXT } from './wasm-bytes.js';

/** Options of `createCongestionPointSync`, in addition to the parameters. */
export interface CongestionPointOptions extends Partial<CongestionPointConfig> {
  /** `wasm` (default), or a backend object: `referenceBackend` of roce-cc/reference. */
  readonly backend?: 'wasm' | CongestionPointBackend;
  /** Number of egress ports, 1..10^8. */
  readonly ports: number;
  /** Number of flows with their own rate limits, 1..10^8; the caller numbers them. */
  readonly flows: number;
}

const CAPABILITIES = { unknown: CAPABILITY_UNKNOWN, able: CAPABILITY_ABLE, unable: CAPABILITY_UNABLE };
const COUNT_MAX = 1e8;
const PAGE_BYTES = 65536;

/** WebAssembly exports used by a congestion point; see assembly/cp/fast-cnp-generator.ts. */
interface CongestionPointAbi {
  readonly memory: WebAssembly.Memory;
  cpInitialise(base: number, ports: number, flows: number): number;
  cpDecide(timePs: number, port: number, flow: number, queueBytes: number, ecn: number, capability: number,
    isIpv6: number): number;
}

/**
 * Creates a congestion point with its own token buckets and random generator.
 *
 * @throws RoceError `invalid-config` naming the parameter, `invalid-argument` for ports and flows, `capacity`.
 */
export function createCongestionPointSync(options: CongestionPointOptions): CongestionPoint {
  checkObject(options, 'options', 'a record { ports, flows, … }');
  const { backend = 'wasm', ports, flows, ...overrides } = options;
  checkWhole(ports, 1, COUNT_MAX, 'ports');
  checkWhole(flows, 1, COUNT_MAX, 'flows');
  if (backend !== 'wasm') return handedIn(backend).createCongestionPoint(ports, flows, overrides);
  return new WasmCongestionPoint(ports, flows, resolveCongestionPointConfig(overrides));
}

function handedIn(backend: CongestionPointBackend): CongestionPointBackend {
  if (
    typeof backend === 'object' && (backend as unknown) !== null && typeof backend.createCongestionPoint === 'function'
  ) return backend;
  throw unknownBackend('invalid-argument', backend, 'backend');
}

function requireNumber(value: number, where: string): void {
  if (typeof value !== 'number') throw invalid(where, value, 'a number');
}

class WasmCongestionPoint implements CongestionPoint {
  readonly config: CongestionPointConfig;
  readonly #abi: CongestionPointAbi;

  constructor(ports: number, flows: number, config: CongestionPointConfig) {
    this.config = config;
    this.#abi = instantiateSync(ENGINE_WASM_TEXT) as unknown as CongestionPointAbi;
    const end = FIXED_END + CONGESTION_POINT.bytes + (ports + flows) * TOKEN_BUCKET.bytes;
    reach(this.#abi.memory, end);
    writeCongestionPointConfig(new DataView(this.#abi.memory.buffer), FIXED_END, config);
    this.#abi.cpInitialise(FIXED_END, ports, flows);
  }

  decide(event: CongestionEvent): CongestionDecision {
    checkObject(event, 'event', 'a record { timePs, port, flow, … }');
    const known = typeof event.capability === 'string' && Object.hasOwn(CAPABILITIES, event.capability);
    const capability = known ? CAPABILITIES[event.capability] : undefined;
    if (capability === undefined) throw invalid('capability', event.capability, Object.keys(CAPABILITIES));
    const { timePs, port, flow, queueBytes, ecn, isIpv6 } = event;
    // The engine reports `bad-argument` for numbers out of range; values that are not numbers are rejected here.
    requireNumber(timePs, 'timePs');
    requireNumber(port, 'port');
    requireNumber(flow, 'flow');
    requireNumber(queueBytes, 'queueBytes');
    requireNumber(ecn, 'ecn');
    const code = this.#abi.cpDecide(timePs, port, flow, queueBytes, ecn, capability, isIpv6 ? 1 : 0);
    return {
      markCe: (code & CP_MARK_CE) !== 0,
      sendFastCnp: (code & CP_SEND_FAST_CNP) !== 0,
      reason: REASON_NAMES[code >>> CP_REASON_SHIFT] ?? 'bad-argument',
    };
  }
}

function reach(memory: WebAssembly.Memory, end: number): void {
  const pages = Math.ceil(end / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES;
  if (pages <= 0) return;
  try {
    memory.grow(pages);
  } catch {
    throw noMemory('memory for the token buckets of ports and flows, in bytes,', end, 'createCongestionPointSync');
  }
}

/**
 * The kernel's parts, for tests: hash, transmission time, marking, a switch's packet memory. Each runs in a module of them
 * (test/sim/support/kernel-entry.ts) on a plan of one switch, under the rules of fidelity `reference`. States of entropies:
 * entropy-subjects.ts.
 */
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { FlowPlans } from '../../src/sim/flow-plans.js';
import { RouteTable } from '../../src/sim/route-table.js';
import { RULES } from '../../src/sim/compile/rules.js';
import type { NetworkPlan, PortPlan } from '../../src/sim/plan.js';
import { openEngine } from '../../src/sim/kernel/set-up.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';
import { writeCapacity } from '../../src/sim/kernel/kernel-parts.js';
import { layOut } from '../../src/sim/kernel/kernel-part.js';
import { writePlanSteps } from '../../src/sim/kernel/write-plan.js';
import { atOnce } from '../../src/sim/steps.js';
import { STATIC_DATA } from '../../src/abi/layout.js';
import { compilePart } from '../algorithms/support/harness.js';

const MODULE = await compilePart('test/sim/support/kernel-entry.ts', [
  '--memoryBase',
  String(STATIC_DATA),
  '--use',
  'ROCE_ACKS=1',
]);

/** A kernel with parts as exports, before it has a plan. */
export function kernelParts(): KernelParts {
  return new WebAssembly.Instance(MODULE).exports as unknown as KernelParts;
}

/** Exports of test/sim/support/kernel-entry.ts; ports and flows by their index. */
export interface KernelParts extends SimAbi {
  partTxTime(lenBytes: number, rateBps: number): number;
  partMarkProbability(queueBytes: number, kminBytes: number, kmaxBytes: number, pmax: number): number;
  partAdmits(port: number, trafficClass: number, lenBytes: number): number;
  partAllocateBuffer(port: number, trafficClass: number, lenBytes: number): void;
  partFreeBuffer(port: number, trafficClass: number, lenBytes: number): void;
  partNeedsPause(port: number, trafficClass: number): number;
  partAllowsResume(port: number, trafficClass: number): number;
  /** `what`: 0 shared bytes in use, 1 threshold, 2 bytes within reserve and share, 3 bytes in headroom. */
  partBufferBytes(port: number, trafficClass: number, what: number): number;
  /** Entropies by number, from the first one of the flow on. */
  partNextEntropy(flow: number): number;
  partEntropyState(flow: number, entropy: number): number;
  partTakeFeedback(flow: number, entropy: number, kind: number, isMarked: number, trimmed: number, asks: number): void;
  partTakeLoss(flow: number, entropy: number, found: number): void;
  partTakeProbe(flow: number, entropy: number): number;
  partTakeProbeAck(flow: number, entropy: number, probe: number, isMarked: number, isAlwaysSkipped: number): void;
  partDeny(entropy: number, isDenied: number): void;
  partPassTime(timePs: number): void;
}

/** Sizes of a switch's packet memory. */
export interface BufferSizes {
  readonly bufferBytes: number;
  readonly reservedBytes: number;
  readonly resumeOffsetBytes: number;
  readonly ports: readonly Pick<PortPlan, 'headroomBytes' | 'thresholdShift'>[];
}

const DEFAULT_SIZES: BufferSizes = {
  bufferBytes: 2 ** 20,
  reservedBytes: 4096,
  resumeOffsetBytes: 3072,
  ports: [{ headroomBytes: 0, thresholdShift: 3 }],
};
const RATE_BPS = 100e9;
const SHARED = 0;
const THRESHOLD = 1;
const INGRESS = 2;
const HEADROOM = 3;

/** A switch's packet memory in the kernel; ports and classes by index. */
export class KernelBuffer {
  readonly #abi: KernelParts;
  /** Classes of ports that are paused, as `port:class`. */
  readonly #paused = new Set<string>();

  constructor(sizes: BufferSizes) {
    this.#abi = startSwitch(sizes);
  }

  admits(port: number, trafficClass: number, lenBytes: number): boolean {
    return this.#abi.partAdmits(port, trafficClass, lenBytes) !== 0;
  }

  store(port: number, trafficClass: number, lenBytes: number): void {
    this.#abi.partAllocateBuffer(port, trafficClass, lenBytes);
  }

  release(port: number, trafficClass: number, lenBytes: number): void {
    this.#abi.partFreeBuffer(port, trafficClass, lenBytes);
  }

  /** True if the neighbour must pause from now on. */
  beginPause(port: number, trafficClass: number): boolean {
    const key = `${port}:${trafficClass}`;
    if (this.#paused.has(key) || this.#abi.partNeedsPause(port, trafficClass) === 0) return false;
    this.#paused.add(key);
    return true;
  }

  /** True if the neighbour may resume from now on. */
  endPause(port: number, trafficClass: number): boolean {
    return this.#abi.partAllowsResume(port, trafficClass) !== 0 && this.#paused.delete(`${port}:${trafficClass}`);
  }

  thresholdBytes(port: number): number {
    return this.#abi.partBufferBytes(port, 0, THRESHOLD);
  }

  ingressBytes(port: number, trafficClass: number): number {
    return this.#abi.partBufferBytes(port, trafficClass, INGRESS);
  }

  headroomBytes(port: number, trafficClass: number): number {
    return this.#abi.partBufferBytes(port, trafficClass, HEADROOM);
  }

  sharedUsedBytes(): number {
    return this.#abi.partBufferBytes(0, 0, SHARED);
  }
}

export interface KernelUnits {
  ecmpHash(sourceAddress: number, destinationAddress: number, sourcePort: number, destinationPort: number,
    seed: number): number;
  /** As the reference simulator rounds it. */
  txTimePs(lenBytes: number, rateBps: number): number;
  markProbability(thresholds: Pick<PortPlan, 'kminBytes' | 'kmaxBytes' | 'pmax'>, queueBytes: number): number;
  createBuffer(sizes: BufferSizes): KernelBuffer;
}

export function kernelUnits(): KernelUnits {
  const abi = startSwitch(DEFAULT_SIZES);
  return {
    ecmpHash: (sourceAddress, destinationAddress, sourcePort, destinationPort, seed) =>
      abi.flowHash(sourceAddress, destinationAddress, (destinationPort << 16) | sourcePort, seed) >>> 0,
    txTimePs: (lenBytes, rateBps) => abi.partTxTime(lenBytes, rateBps),
    markProbability: ({ kminBytes, kmaxBytes, pmax }, queueBytes) =>
      abi.partMarkProbability(queueBytes, kminBytes, kmaxBytes, pmax),
    createBuffer: (sizes) => new KernelBuffer(sizes),
  };
}

/** A kernel at time 0 with one switch, whose ports lead nowhere. */
function startSwitch(sizes: BufferSizes): KernelParts {
  const plan = switchPlan(sizes);
  const abi = kernelParts();
  writeCapacity(abi, plan, 0);
  openEngine(abi, plan);
  atOnce(writePlanSteps(abi, plan, new Map(), layOut(plan)));
  abi.simStart();
  return abi;
}

function switchPlan({ bufferBytes, reservedBytes, resumeOffsetBytes, ports }: BufferSizes): NetworkPlan {
  return {
    fidelity: 'reference',
    seed: 1,
    endPs: 1,
    rules: { ...RULES.reference, telemetry: 'none', reservedBytes, resumeOffsetBytes },
    nodes: [{
      name: 's0',
      kind: 'switch',
      firstPort: 0,
      portCount: ports.length,
      bufferBytes,
      pfc: true,
      fastCnp: false,
      hashSeed: 0,
      address: 0,
    }],
    ports: ports.map((port, index) => ({
      ...port,
      node: 0,
      peerPort: index,
      rateBps: RATE_BPS,
      delayPs: 0,
      ecn: false,
      kminBytes: 0,
      kmaxBytes: 0,
      pmax: 0,
      dataLoss: 0,
      ackLoss: 0,
      cnpLoss: 0,
      corruption: 0,
    })),
    routes: RouteTable.of([[-1]]),
    groups: [],
    parameterSets: [dcqcnSigcomm15({ lineRateBps: RATE_BPS })],
    flows: new FlowPlans(0),
    linkEvents: [],
    fastCnp: {
      accepted: false,
      option: 1,
      flowRatePerSecond: 0,
      flowBurst: 1,
      portRatePerSecond: 0,
      portBurst: 1,
      markWhenLimited: false,
      duplicateWindowPs: 0,
    },
  };
}

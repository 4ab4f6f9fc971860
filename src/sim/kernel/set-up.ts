/**
 * Writes a network into the memory of a fresh sim.wasm, in steps: memory and QPs, the plan, the first events; adds flows while it
 * runs. The engine inside the kernel has one endpoint per host, and one QP per flow.
 */
import { ADDRESS_ARGUMENT } from '../../abi/layout.js';
import { SIM_NONE, SIM_STARTS } from '../../abi/sim-codes.js';
import { callFault, type BoundAlgorithms, guardCalls } from '../../algorithm/bound.js';
import { moduleBytesNeeded } from '../../algorithm/module-regions.js';
import { dcqcnSigcomm15 } from '../../config/algorithms/dcqcn/preset-sigcomm15.js';
import { engineConfig, type EngineConfig } from '../../config/engine-config.js';
import { ALL_PARTS, type EngineParts } from '../../engine/parts.js';
import { setUpBackend } from '../../engine/set-up.js';
import { writePoints } from '../features/points/memory.js';
import type { NetworkPlan } from '../plan.js';
import type { Steps } from '../steps.js';
import type { PlanLayouts } from './kernel-part.js';
import type { SimAbi } from './sim-abi.js';
import { writeCapacity } from './kernel-parts.js';
import { writePlanSteps, writeAddedFlow } from './write-plan.js';

const ADDRESS_BYTES = 16;
const UNUSED_RATE_BPS = 1e11;
/** Exports that may call handlers of custom algorithms. */
const CALLS_OF_HANDLERS = ['openQp', 'simStart', 'simRun', 'simRate', 'simFairness'] as const;

export interface SetUp {
  readonly layouts: PlanLayouts;
  /** CAPTURE_* bits of each traced port. */
  readonly traced: ReadonlyMap<number, number>;
  /** Capacity for traced packets and pauses. */
  readonly packetRecords: number;
  /** Capacity for rate changes; undefined: none are traced. */
  readonly rateChanges: number | undefined;
  /** Receives the exports to use from then on. */
  readonly onOpened: (abi: SimAbi) => void;
  /** Receives the custom algorithms, if there are any. */
  readonly onCustom?: ((custom: BoundAlgorithms) => void) | undefined;
}

/** @throws RoceError `capacity` if the memory can't be allocated. */
export function* setUpSteps(unopened: SimAbi, plan: NetworkPlan,
  { layouts, traced, packetRecords, rateChanges, onOpened, onCustom }: SetUp): Steps<void> {
  writeCapacity(unopened, plan, packetRecords, layouts);
  const opened = openEngine(unopened, plan, rateChanges, onCustom);
  yield;
  yield* writePlanSteps(opened, plan, traced, layouts);
  yield;
  const abi = writePoints(opened, plan);
  onOpened(abi);
  abi.simStart();
}

/**
 * Lays out memory, and opens flow i as QP i, or one QP per record if messages share records.
 *
 * @param rateChanges capacity of the trace; 0 in builds without one.
 * @param onCustom receives the custom algorithms, if there are any.
 * @returns the exports to use from then on: with custom algorithms, their errors name handler, flow and time.
 * @throws RoceError `capacity` if the memory can't be allocated.
 */
export function openEngine(unguarded: SimAbi, plan: NetworkPlan, rateChanges = 0,
  onCustom?: (custom: BoundAlgorithms) => void): SimAbi {
  const { custom } = setUpBackend({ abi: unguarded }, configOf(plan, rateChanges), partsOf(plan));
  if (custom !== undefined) onCustom?.(custom);
  const abi = custom === undefined ?
    unguarded :
    guardCalls(unguarded, CALLS_OF_HANDLERS, (error) => callFault(custom, error, (qp) => `flow ${qp}`)).abi;
  const writeAddress = addressWriter(abi);
  plan.nodes.forEach((_, node) => {
    writeAddress(node);
    abi.addAddress(node);
  });
  const { flows, messageRecords } = plan;
  if (messageRecords !== undefined) {
    openRecords(abi, Math.min(messageRecords, flows.length));
    return abi;
  }
  if (plan.reservedPerHost !== undefined) return abi;
  for (let flow = 0; flow < flows.length; flow++) openFlow(abi, plan, flow, writeAddress);
  return abi;
}

/** Flows that join a kernel while it runs: the plan has `reservedPerHost`, and flows are written when they are added. */
export class AddedFlows {
  readonly #abi: SimAbi;
  readonly #plan: NetworkPlan;

  constructor(abi: SimAbi, plan: NetworkPlan) {
    this.#abi = abi;
    this.#plan = plan;
  }

  /** Opens the QP of the next flow of the plan. Must be called in index order, as flow i has QP i. */
  open(flow: number): void {
    openFlow(this.#abi, this.#plan, flow, addressWriter(this.#abi));
  }

  /** Adds flows to the run. @param order flows in order of their starts, none before the present. */
  start(order: readonly number[]): void {
    const view = new DataView(this.#abi.memory.buffer);
    const at = (this.#abi.simRegion(SIM_STARTS) >>> 0) + 4;
    const present = view.getUint32(at - 4, true);
    order.forEach((flow, place) => {
      writeAddedFlow(this.#abi, this.#plan, flow);
      view.setUint32(at + (present + place) * 4, flow, true);
    });
    this.#abi.simAddStarts(order.length);
  }

  /** The flow that completed last since the previous call; undefined: none. */
  takeDone(): number | undefined {
    const flow = this.#abi.simTakeDone() >>> 0;
    return flow === SIM_NONE ? undefined : flow;
  }
}

/** The parts of the engine. Modules of congestion points need memory regions, like those of algorithms. */
function partsOf({ points }: NetworkPlan): EngineParts {
  const modules = (points?.points ?? []).map(({ custom }) => custom);
  return { ...ALL_PARTS, moduleBytesNeeded: (parameterSets) => moduleBytesNeeded(parameterSets, modules) };
}

/** Opens the QP of a flow. */
function openFlow(abi: SimAbi, { flows }: NetworkPlan, flow: number, writeAddress: (node: number) => void): void {
  const qpn = flow + 1;
  writeAddress(flows.destination[flow]);
  abi.openQp(flows.source[flow], qpn, qpn, flows.parameterSet[flow]);
}

/** Opens QPs that messages share. The kernel assigns the message, and with it the parameter set. */
function openRecords(abi: SimAbi, records: number): void {
  for (let record = 0; record < records; record++) abi.openQp(0, record + 1, record + 1, 0);
}

function configOf({ parameterSets, flows, messageRecords, nodes, rules, fastCnp, seed }: NetworkPlan,
  rateChanges: number): EngineConfig {
  // Jobs that only compute have no flows, but an engine needs a parameter set.
  const all = parameterSets.length === 0 ? [dcqcnSigcomm15({ lineRateBps: UNUSED_RATE_BPS })] : parameterSets;
  return engineConfig({
    parameterSets: Object.fromEntries(all.map((parameterSet, index) => [`p${index}`, parameterSet])),
    capacity: {
      qps: Math.max(1, Math.min(messageRecords ?? Infinity, flows.length)),
      endpoints: nodes.length,
      addresses: nodes.length,
      events: 1,
      packets: 1,
      frameBytes: 64,
    },
    notificationPoint: { minTimeBetweenCnpsPs: rules.cnpIntervalPs },
    fastCnp: { enabled: fastCnp.accepted, defaultAction: 'allow', duplicateWindowPs: fastCnp.duplicateWindowPs },
    rateActions: false,
    ...(rateChanges > 0 && { trace: { records: rateChanges } }),
    hashSeed: seed,
  });
}

/** Writes fd00::n, n = node index: the address that the kernel puts into Fast CNPs. */
function addressWriter({ memory }: SimAbi): (node: number) => void {
  const address = new DataView(memory.buffer, ADDRESS_ARGUMENT, ADDRESS_BYTES);
  address.setUint32(0, 0xfd00_0000);
  for (let at = 4; at < ADDRESS_BYTES; at += 4) address.setUint32(at, 0);
  return (node) => {
    address.setUint32(ADDRESS_BYTES - 4, node);
  };
}

/** States of a flow's entropies in the kernel and in the model, behind one interface, so that one table tests both. */
import { LOSS_FAST, LOSS_TIMEOUT } from '../../src/abi/ack-layout.js';
import { PACKET_ACK, PACKET_NACK } from '../../src/abi/sim-codes.js';
import { ENTROPY_ASSUMED_BAD, ENTROPY_DENIED, ENTROPY_GOOD, ENTROPY_SKIP } from '../../src/abi/records/balancing.js';
import { TRIM_LAST_HOP, TRIM_NONE, TRIM_TRANSIT } from '../../src/abi/records/transports.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { EntropyStatesSpec } from '../../src/sim/scenario/spec.js';
import type { Port } from '../model/link-ends.js';
import { EntropyStates, type State } from '../model/standard/balancing/entropy-states.js';
import { PathSelections } from '../model/standard/balancing/path-selection.js';
import { planOf } from './agreement/model-balance.js';
import { kernelParts } from './kernel-units.js';

export const PROBE_INTERVAL_PS = 10e6;
const FLOW = 0;

export type Mark = 'unmarked' | 'marked' | 'always-skip';
export type TrimPlace = 'transit' | 'last-hop';
/** Who finds a loss: a SACK, or its timer. */
export type FoundBy = 'fast' | 'timeout';

/** Entropies by number, from the first one of the flow on. */
export interface EntropySubject {
  /** The one that the next packet has. */
  next(): number;
  stateOf(number: number): State;
  sack(number: number, mark: Mark): void;
  trim(number: number, at: TrimPlace): void;
  lose(number: number, found: FoundBy): void;
  /** Sends the probes that are due. */
  probe(): Probe[];
  acknowledge(probe: Probe, mark: Mark): void;
  deny(number: number, isDenied: boolean): void;
  passTime(timePs: number): void;
}

export interface Probe {
  readonly number: number;
  readonly id: number;
}

export interface EntropySettings extends EntropyStatesSpec {
  readonly active: number;
  readonly reserve: number;
  readonly planes?: number;
  readonly seed?: number;
}

/** One flow, which never starts. */
function plan({ active, planes = 1, seed = 1, ...states }: EntropySettings): NetworkPlan {
  const made = planOf({
    name: 'entropies',
    seed,
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 1, rateGbps: 100, planes },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1, startUs: 1e6 }] },
    switches: { pfc: false, ecn: false, trimming: true },
    hosts: {
      transport: 'mrc',
      pathSelection: 'entropy-states',
      entropies: active,
      entropyStates: {
        probes: true,
        probeIntervalUs: PROBE_INTERVAL_PS / 1e6,
        // So that a controller may deny others at any time.
        denied: [{ entropies: [0], fromUs: 2e6 }],
        ...states,
      },
    },
  });
  if (made === undefined) throw new Error('The scenario does not compile.');
  return made;
}

/** How long one stays in SKIP, if for a time. */
export const skipPsOf = (settings: EntropySettings): number => plan(settings).balancing?.selection?.states?.skipPs ?? 0;

const STATES = new Map<number, State>([
  [ENTROPY_GOOD, 'good'],
  [ENTROPY_SKIP, 'skip'],
  [ENTROPY_ASSUMED_BAD, 'bad'],
  [ENTROPY_DENIED, 'denied'],
]);

/** The first packet, for which the entropies are drawn, has left. */
function kernelEntropies(settings: EntropySettings): EntropySubject {
  const abi = kernelParts();
  new SimKernel(plan(settings), {}, { abi, rateChanges: 0 });
  const count = settings.active + settings.reserve;
  abi.partNextEntropy(FLOW);
  return {
    next: () => abi.partNextEntropy(FLOW),
    stateOf: (number) => STATES.get(abi.partEntropyState(FLOW, number))!,
    sack: (number, mark) => {
      abi.partTakeFeedback(FLOW, number, PACKET_ACK, Number(mark !== 'unmarked'), TRIM_NONE,
        Number(mark === 'always-skip'));
    },
    trim: (number, at) => {
      abi.partTakeFeedback(FLOW, number, PACKET_NACK, 0, at === 'transit' ? TRIM_TRANSIT : TRIM_LAST_HOP, 0);
    },
    lose: (number, found) => {
      abi.partTakeLoss(FLOW, number, found === 'fast' ? LOSS_FAST : LOSS_TIMEOUT);
    },
    probe: () =>
      Array.from({ length: count }, (_, number) => ({ number, id: abi.partTakeProbe(FLOW, number) }))
        .filter(({ id }) => id >= 0),
    acknowledge: ({ number, id }, mark) => {
      abi.partTakeProbeAck(FLOW, number, id, Number(mark !== 'unmarked'), Number(mark === 'always-skip'));
    },
    deny: (number, isDenied) => {
      abi.partDeny(number, Number(isDenied));
    },
    passTime: (timePs) => {
      abi.partPassTime(timePs);
    },
  };
}

function modelEntropies(settings: EntropySettings): EntropySubject {
  const network = plan(settings);
  let nowPs = 0;
  const events = {
    get nowPs() {
      return nowPs;
    },
  };
  // Nothing waits at any port.
  const ports = network.ports.map(() => ({ device: {} }) as Port);
  const selections = new PathSelections({ plan: network, events, ports }, network.balancing!.selection!);
  const states = selections.of(network.flows.get(0));
  if (!(states instanceof EntropyStates)) throw new Error('The host has no states.');
  const used = states.next();
  const number = (entropy: number): number => states.numberOf(entropy);
  const entropy = (of: number): number => used - number(used) + of;
  return {
    next: () => number(states.next()),
    stateOf: (of) => states.stateOf(of),
    sack: (of, mark) => {
      if (mark === 'always-skip') states.onAlwaysSkip(entropy(of));
      else states.onResponse(nowPs, entropy(of), mark === 'marked');
    },
    trim: (of, at) => {
      // The transport reports no others.
      if (at === 'transit') states.onTrim(entropy(of));
    },
    lose: (of, found) => {
      states.onPacketLost(entropy(of), found);
    },
    probe: () =>
      states.probes!.take(nowPs, PROBE_INTERVAL_PS).map((one) => ({ number: number(one.entropy), id: one.id })),
    acknowledge: ({ number: of, id }, mark) => {
      states.probes!.onAcknowledged(entropy(of), id, mark === 'always-skip' ? mark : mark === 'marked');
    },
    deny: (of, isDenied) => {
      selections.setDenied(of, isDenied);
    },
    passTime: (timePs) => {
      nowPs = Math.max(nowPs, timePs);
    },
  };
}

export const ENTROPY_SUBJECTS = [
  { name: 'kernel', create: kernelEntropies },
  { name: 'model', create: modelEntropies },
] as const;

/** Nodes and ports of a plan: buffers, headroom, pause and marking thresholds, losses. */
import { BIT_PS_PER_BYTE } from '../../exact-numbers.js';
import { DEFAULT_FAST_CNP } from '../../config/fast-cnp.js';
import { HEADROOM_LINK_DELAYS } from '../../analysis/headroom.js';
import { BPS_PER_GBPS, BYTES_PER_KB, PS_PER_NS, PS_PER_US } from '../../units.js';
import type { FastCnpPlan, NodePlan, PortPlan, Rules } from '../plan.js';
import { DEFAULT_BUFFER_BYTES, DEFAULT_LOSSES, ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { EcnRateSpec, FaultSpec, LossSpec } from '../scenario/spec.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { KernelScenario, ValidSwitch } from '../scenario/valid-scenario.js';
import { timesSetAside } from '../../switching/shared-buffer.js';
import { addressOf } from '../../switching/ecmp-hash.js';
import { leadsToHost, peerOf, portCount, portsOf, type Graph } from './routes.js';
import { hashSeed } from './paths.js';

const POOL_HEADROOM_BYTES = 2096;
/** Counters of memory have 32 bits. */
const COUNTER_MAX_BYTES = 2 ** 32 - 1;
/**
 * The pause threshold is 1/8 of the free memory (shift 3) at ports no faster than the hosts' ports (docs/specs/reference.md,
 * section 9).
 */
const THRESHOLD_SHIFT = 3;
/**
 * Packets that may still arrive after a pause is due: the pause waits for a packet in transmission, the peer finishes its own,
 * and one is reserve.
 */
const HEADROOM_PACKETS = 3;
/** A pause frame may wait for the pause frames of all other classes. */
const CLASSES = 8;

/** The inputs of headroom, besides the link. */
export interface HeadroomRules {
  readonly fidelity: KernelFidelity;
  readonly rules: Rules;
  /** Longest packet of any flow, bytes. */
  readonly longestBytes: number;
}

/** The plans of all ports, by port number. */
export function portPlans(valid: KernelScenario, graph: Graph, headroom: HeadroomRules): PortPlan[] {
  const nicRateBps = graph.rateBps[graph.firstPort[graph.network.hosts[0]]] ?? Infinity;
  const losses = lossesByPort(valid.faults, graph, 0);
  return graph.nodeOf.map((node, port) => {
    const settings = valid.switches[node];
    const rateBps = graph.rateBps[port];
    return {
      node,
      peerPort: graph.peerPort[port],
      rateBps,
      delayPs: graph.delayPs[port],
      headroomBytes: settings === null ? 0 : headroomBytes(settings, graph, port, headroom),
      thresholdShift: settings === null ? 0 : thresholdShift(rateBps, nicRateBps),
      ...marking(settings, rateBps, leadsToHost(graph, port)),
      ...losses[port],
    };
  });
}

/**
 * The plans of all nodes.
 * @throws RoceError `invalid-scenario` for a switch whose headroom consumes all of its memory.
 */
export function nodePlans(valid: KernelScenario, graph: Graph, ports: readonly PortPlan[], rules: Rules): NodePlan[] {
  return graph.network.nodes.map(({ name, kind }, node) => {
    const settings = valid.switches[node];
    return {
      name,
      kind,
      firstPort: graph.firstPort[node],
      portCount: portCount(graph, node),
      bufferBytes: settings === null ?
        0 :
        bufferBytes(settings, graph, node, ports, {
          fidelity: valid.fidelity,
          rules,
          lossyBytes: valid.pools?.lossyBytes ?? 0,
        }),
      pfc: settings?.pfc ?? true,
      fastCnp: valid.fidelity === 'standard' && (settings === null ? acceptsFastCnp(valid, node) : settings.fastCnp),
      ...ownRules(valid, node),
      ...(graph.network.planes?.isAdapter[node] === true ? { isAdapter: true } : {}),
      hashSeed: hashSeed(graph, node),
      address: addressOf(node),
    };
  });
}

/** Fast CNP settings of the whole network. @param hosts nodes of the hosts. */
export function fastCnpPlan(valid: KernelScenario, hosts: readonly number[]): FastCnpPlan {
  const accepted = valid.fidelity === 'standard' && hosts.some((host) => acceptsFastCnp(valid, host));
  return { ...valid.fastCnp, accepted, duplicateWindowPs: DEFAULT_FAST_CNP.duplicateWindowPs };
}

/** Whether this host accepts Fast CNPs. */
function acceptsFastCnp({ hosts, hostOverrides }: KernelScenario, node: number): boolean {
  return hostOverrides[node]?.acceptFastCnp ?? hosts.acceptFastCnp;
}

/** Settings in which a host differs from the network's rules. CNP settings apply only under `standard`. */
function ownRules({ hosts, hostOverrides, fidelity }: KernelScenario, node: number): Partial<NodePlan> {
  const { notificationPoint = hosts.notificationPoint, cnpDelayUs, cnpIntervalUs, retransmitTimeoutUs, mtuBytes } =
    hostOverrides[node] ?? {};
  const cnps = fidelity === 'standard' ?
    {
      ...inPs('cnpDelayPs', cnpDelayUs),
      ...inPs('cnpIntervalPs', cnpIntervalUs),
      ...(notificationPoint ? {} : { notifies: false }),
    } :
    {};
  return {
    ...cnps,
    ...inPs('retransmitTimeoutPs', retransmitTimeoutUs),
    ...(mtuBytes === undefined ? {} : { mtuBytes }),
  };
}

function inPs(key: 'cnpDelayPs' | 'cnpIntervalPs' | 'retransmitTimeoutPs',
  timeUs: number | undefined): Partial<NodePlan> {
  return timeUs === undefined ? {} : { [key]: Math.round(timeUs * PS_PER_US) };
}

/**
 * Shift of the pause threshold: 3 at the first host's port rate, and one less for each doubling above it
 * (docs/specs/reference.md, section 9).
 */
function thresholdShift(rateBps: number, nicRateBps: number): number {
  let shift = THRESHOLD_SHIFT;
  for (let rate = rateBps; rate > nicRateBps && shift > 0; rate = Math.floor(rate / 2)) shift--;
  return shift;
}

/** Whether a port marks, and its thresholds. @param isLastHop whether the port leads to a host. */
export function marking(settings: ValidSwitch | null, rateBps: number,
  isLastHop: boolean): Pick<PortPlan, 'ecn' | 'kminBytes' | 'kmaxBytes' | 'pmax'> {
  if (settings === null) return { ecn: false, kminBytes: 0, kmaxBytes: 0, pmax: 0 };
  const { byRate, scaleWithRate, lastHop } = settings.ecn;
  const enabled = settings.ecn.enabled && (lastHop || !isLastHop);
  if (enabled && byRate !== null) return { ecn: true, ...thresholdsOf(byRate, rateBps) };
  const { kminKB, kmaxKB, pmax } = settings.ecn;
  const scale = (scaleWithRate ? rateBps / ECN_REFERENCE_RATE_BPS : 1) * BYTES_PER_KB;
  return { ecn: enabled, kminBytes: Math.round(kminKB * scale), kmaxBytes: Math.round(kmaxKB * scale), pmax };
}

function thresholdsOf(byRate: readonly EcnRateSpec[],
  rateBps: number): Pick<PortPlan, 'kminBytes' | 'kmaxBytes' | 'pmax'> {
  const found = byRate.find(({ rateGbps }) => Math.round(rateGbps * BPS_PER_GBPS) === rateBps);
  if (found === undefined) {
    return rejectScenario({
      what: 'the rate of a port of a switch, Gb/s,',
      got: rateBps / BPS_PER_GBPS,
      allowed: byRate.map(({ rateGbps }) => rateGbps),
      where: 'switches.ecn.byRate',
      hint: 'ECN needs thresholds for each rate',
    });
  }
  const { kminKB, kmaxKB, pmax } = found;
  return { kminBytes: Math.round(kminKB * BYTES_PER_KB), kmaxBytes: Math.round(kmaxKB * BYTES_PER_KB), pmax };
}

/**
 * Headroom: three times the bytes in flight on the link (docs/specs/reference.md, section 9). `standard` adds packets in
 * transmission and pause frames; without them, short links would lose packets.
 */
function headroomBytes(settings: ValidSwitch, graph: Graph, port: number,
  { fidelity, rules, longestBytes }: HeadroomRules): number {
  if (fidelity === 'reference-lossy') return poolHeadroomBytes(graph, port);
  if (!settings.pfc) return 0;
  if (settings.headroomBytes !== null) return settings.headroomBytes;
  const bytes = defaultHeadroomBytes(graph, port, { fidelity, rules, longestBytes });
  if (bytes <= COUNTER_MAX_BYTES) return bytes;
  const { nodes } = graph.network;
  return rejectScenario({
    what: `the headroom of port ${nodes[graph.nodeOf[port]].name}:${nodes[peerOf(graph, port)].name}`,
    got: bytes,
    allowed: { max: COUNTER_MAX_BYTES, unit: 'bytes' },
    where: 'switches.headroomBytes',
    hint: 'A shorter or slower link needs less; headroomBytes sets it',
  });
}

/** Headroom: the bytes in flight on the link in both directions, plus two packets (docs/specs/reference-lossy.md, section 6). */
function poolHeadroomBytes(graph: Graph, port: number): number {
  const bytes = Number((BigInt(graph.rateBps[port]) * BigInt(graph.delayPs[port] / PS_PER_NS)) / 8n / 1_000_000_000n);
  return 2 * bytes + POOL_HEADROOM_BYTES;
}

/** Default headroom: the bytes that the link's other end may still send after a pause frame. */
export function defaultHeadroomBytes(graph: Graph, port: number, { rules, longestBytes }: HeadroomRules): number {
  const oneWay = Number((BigInt(graph.rateBps[port]) * BigInt(graph.delayPs[port])) / BIT_PS_PER_BYTE);
  const begun = rules.txTime === 'exact' ? HEADROOM_PACKETS * longestBytes + CLASSES * rules.pauseFrameBytes : 0;
  return HEADROOM_LINK_DELAYS * oneWay + begun;
}

function bufferBytes(settings: ValidSwitch, graph: Graph, node: number, ports: readonly PortPlan[],
  { fidelity, rules, lossyBytes }: Pick<HeadroomRules, 'fidelity' | 'rules'> & {
    readonly lossyBytes: number;
  }): number {
  const ofPorts = portsOf(graph, node).reduce((sum, port) => sum + ports[port].headroomBytes + rules.reservedBytes, 0);
  const setAside = ofPorts * timesSetAside(rules) + lossyBytes;
  if (settings.bufferBytes === null) return DEFAULT_BUFFER_BYTES + Math.max(0, setAside - DEFAULT_BUFFER_BYTES / 2);
  if (fidelity === 'reference-lossy' && settings.bufferBytes <= COUNTER_MAX_BYTES) return settings.bufferBytes;
  const most = setAside + COUNTER_MAX_BYTES;
  if (settings.bufferBytes > setAside && settings.bufferBytes <= most) return settings.bufferBytes;
  return rejectScenario({
    what: `the memory of switch ${graph.network.nodes[node].name}`,
    got: settings.bufferBytes,
    allowed: { above: setAside, max: most, unit: 'bytes' },
    where: 'switches.bufferBytes',
    hint: `Its ${portCount(graph, node)} ports set memory aside${
      timesSetAside(rules) > 1 ? ` for ${timesSetAside(rules)} classes` : ''
    }${lossyBytes > 0 ? ', its lossy pool has a part' : ''}, and the rest is shared`,
  });
}

type Losses = Pick<PortPlan, 'dataLoss' | 'ackLoss' | 'cnpLoss' | 'corruption'>;

/** Whether a fault loses packets at an instant, picoseconds. */
function losesAt(fault: FaultSpec, timePs: number): boolean {
  if (fault.kind === 'corruption') return true;
  if (fault.kind !== 'loss') return false;
  const [fromPs, toPs] = timesOf(fault);
  return fromPs <= timePs && timePs < toPs;
}

/** Start and end of a fault, picoseconds. */
export function timesOf({ fromUs = 0, toUs = Infinity }: Pick<LossSpec, 'fromUs' | 'toUs'>): readonly [number, number] {
  return [Math.round(fromUs * PS_PER_US), Math.round(toUs * PS_PER_US)];
}

/** Loss rates of all ports at an instant. If several faults affect a port, their probabilities are independent. */
export function lossesByPort(faults: readonly FaultSpec[], graph: Graph, timePs: number): Losses[] {
  const losses = graph.errorRate.map((rate): Losses => ({
    dataLoss: rate,
    ackLoss: rate,
    cnpLoss: rate,
    corruption: 0,
  }));
  for (const fault of faults) {
    if ((fault.kind !== 'loss' && fault.kind !== 'corruption') || !losesAt(fault, timePs)) continue;
    for (const port of portsBetween(graph, fault.between)) losses[port] = withFault(losses[port], fault);
  }
  return losses;
}

function withFault(losses: Losses, fault: Extract<FaultSpec, { kind: 'loss' | 'corruption' }>): Losses {
  const { share } = fault;
  const both = (before: number): number => (before === 0 ? share : 1 - (1 - before) * (1 - share));
  if (fault.kind === 'corruption') return { ...losses, corruption: both(losses.corruption) };
  const { of = DEFAULT_LOSSES } = fault;
  return {
    ...losses,
    dataLoss: of === 'all' || of === 'data' ? both(losses.dataLoss) : losses.dataLoss,
    ackLoss: of === 'all' || of === 'acks' ? both(losses.ackLoss) : losses.ackLoss,
    cnpLoss: of === 'all' || of === 'cnps' ? both(losses.cnpLoss) : losses.cnpLoss,
  };
}

/** Port numbers at both ends of all links between two nodes given by name. */
export function portsBetween(graph: Graph, names: readonly [string, string]): number[] {
  const { nodes } = graph.network;
  const [low, high] = names.map((name) => nodes.findIndex((node) => node.name === name)).sort((a, b) => a - b);
  const portsTo = (node: number, peer: number): number[] =>
    portsOf(graph, node).filter((port) => peerOf(graph, port) === peer);
  return low < 0 ? [] : [...portsTo(low, high), ...portsTo(high, low)];
}

/**
 * How flows recover from losses: each flow's own setting, else its sender's, else that of all hosts. For a READ, the requester
 * counts retries.
 *
 * Defaults: IRN's cap is the largest BDP of all pairs of hosts (SIGCOMM 2018, section 3.2: the BDP of the longest path). A
 * receiver's reordering window is the same, but at least 128 packets, the size of the bitmaps in section 6 of that paper; for
 * `tolerant` and `mrc` at least 1,024.
 */
import { PS_PER_US } from '../../../units.js';
import { peerOf, type Graph } from '../../compile/routes.js';
import { NACK_BYTES, PROBE_BYTES, usidHeaderBytes, ENDPOINT_REQUEST_BYTES,
  ENDPOINT_RESPONSE_BYTES } from '../../compile/packet-sizes.js';
import { timesOf } from '../../compile/port-settings.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { ConnectionsPlan } from '../../plan.js';
import { DEFAULT_DROPPED, MIN_REORDERING_WINDOW_PACKETS, MIN_TOLERANT_WINDOW_PACKETS, REORDER_SHARES,
  TIMEOUTS_FOR_EVER } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { LossReaction, Transport, FaultSpec, ReceiverDiscardsSpec } from '../../scenario/spec.js';
import type { ValidHost, ValidScenario } from '../../scenario/valid-scenario.js';
import { ruleOf } from '../balancing/path-selection.js';
import { streamSizes } from '../connections/compile.js';
import { transportBytes } from './memory.js';
import { isPlainTransport, type MrcPlan, type TolerantLosses, type TransportDrop, type TransportKind,
  type TransportsPlan, type DiscardPlan, type PortStatusPair, type PortStatusPlan } from './plan.js';

/** Maximum memory for the rings of all flows. */
const RINGS_MAX_BYTES = 2 ** 30;

/** A port status update is sent once and retransmitted up to 7 times, the maximum of an RC queue pair (IBTA, retry count of 3 bits). */
const STATUS_SENDS = 8;

/** The inputs of a transports plan. */
export interface TransportContext {
  readonly graph: Graph;
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan | undefined;
  /** Transport of each flow, if a workload sets any. */
  readonly ofFlows: readonly (Transport | undefined)[];
  readonly isRead: (flow: number) => boolean;
  readonly bdpBytes: number;
  /** Base round trip of the longest path. */
  readonly longestRttPs: number;
  readonly mtuBytes: (host: number) => number;
}

/** The plan of transports; undefined if all flows use plain go-back-N and no arrival is dropped. */
export function transportsPlan(valid: ValidScenario, context: TransportContext): TransportsPlan | undefined {
  const plan = planFor(valid, context);
  if (plan?.mrc === undefined) requireMrcForDiscards(valid.faults);
  return plan;
}

function planFor(valid: ValidScenario, context: TransportContext): TransportsPlan | undefined {
  if (!hasSettings(valid, context)) return undefined;
  const { flows, ofFlows, isRead, bdpBytes, mtuBytes } = context;
  const kinds: TransportKind[] = [];
  const known = new Map<string, number>();
  const kindOf = new Uint16Array(flows.length);
  for (let flow = 0; flow < flows.length; flow++) {
    const [source, destination] = [flows.source[flow], flows.destination[flow]];
    const bdpPackets = Math.ceil(bdpBytes / mtuBytes(source));
    const kind = kindFor(valid, { own: ofFlows[flow], source, destination, isRead: isRead(flow), bdpPackets });
    const key = JSON.stringify(kind);
    kindOf[flow] = known.get(key) ?? kinds.push(kind) - 1;
    known.set(key, kindOf[flow]);
  }
  const forcedDrops = drops(valid);
  if (forcedDrops.length === 0 && kinds.every(isPlainTransport)) return undefined;
  const { windowBytes = bdpBytes, timeoutLowUs, timeoutHighUs, fewPackets } = valid.hosts.irn;
  const plan: TransportsPlan = {
    ...portStatusOf(valid, { kinds, kindOf }, context),
    kinds,
    kindOf,
    irn: { capBytes: windowBytes, timeoutLowPs: ps(timeoutLowUs), timeoutHighPs: ps(timeoutHighUs), fewPackets },
    ...(kinds.some(({ transport }) => transport === 'tolerant') ? { tolerant: tolerantLosses(valid.hosts) } : {}),
    ...(kinds.some(({ transport }) => transport === 'mrc') ? { mrc: mrcPlan(valid, context) } : {}),
    forcedDrops,
  };
  requireRings(plan, context);
  return plan;
}

/** Whether any setting of transports is in use. If not, the flows need not be examined one by one. */
function hasSettings({ fidelity, hosts, hostOverrides, faults }: ValidScenario,
  { ofFlows }: TransportContext): boolean {
  if (fidelity !== 'standard') return false;
  const { transport, pathSelection, retryCount, lossReaction } = hosts;
  return transport !== 'go-back-n' || pathSelection === 'entropy-states' || retryCount !== null ||
    lossReaction !== null || ofFlows.length > 0 ||
    hostOverrides.some((own) =>
      (own?.transport ?? own?.retryCount ?? own?.lossReaction) !== undefined ||
      own?.pathSelection === 'entropy-states'
    ) ||
    faults.some(({ kind }) => kind === 'drop');
}

/** The transport of a flow: its own, else its sender's, else that of all hosts. */
export function transportOf({ hosts, hostOverrides }: Pick<ValidScenario, 'hosts' | 'hostOverrides'>,
  { transport, source }: { readonly transport?: Transport | undefined; readonly source: number }): Transport {
  return transport ?? hostOverrides[source]?.transport ?? hosts.transport;
}

interface Ends {
  readonly own: Transport | undefined;
  readonly source: number;
  readonly destination: number;
  /** Whether the flow is a READ, whose requester retries. */
  readonly isRead: boolean;
  readonly bdpPackets: number;
}

function kindFor(valid: ValidScenario, { own, source, destination, isRead, bdpPackets }: Ends): TransportKind {
  const { hosts, hostOverrides } = valid;
  const sender = hostOverrides[source] ?? {};
  const retrying = hostOverrides[isRead ? destination : source] ?? {};
  const transport = transportOf(valid, { transport: own, source });
  const ofMrc = mrcKind(valid, source, transport);
  const windowPackets = hostOverrides[destination]?.reorderingWindowPackets ?? hosts.reorderingWindowPackets;
  return {
    transport,
    windowPackets: transport === 'go-back-n' ? 1 : windowPackets ?? Math.max(bdpPackets, minWindowPackets(transport)),
    retryCount: retrying.retryCount ?? hosts.retryCount ?? (ofMrc.timesPackets === true ? retriesOf(hosts) : null),
    lossReaction: sender.lossReaction ?? hosts.lossReaction ?? defaultReaction(transport),
    ...ofMrc,
  };
}

/** The options that only `mrc` has. @throws RoceError `invalid-scenario` for entropy states under another transport. */
function mrcKind(valid: ValidScenario, source: number,
  transport: Transport): Pick<TransportKind, 'notesEntropies' | 'timesPackets'> {
  const hasStates = ruleOf(valid, source) === 'entropy-states';
  if (transport !== 'mrc') return hasStates ? rejectStates(valid, source, transport) : {};
  const timer = valid.hosts.mrc.timer ?? (hasStates ? 'per-packet' : 'per-flow');
  return {
    ...(hasStates ? { notesEntropies: true } : {}),
    ...(timer === 'per-packet' ? { timesPackets: true } : {}),
  };
}

/** Retries of `mrc`: all timeouts but the last, which fails the flow; null: unlimited. */
function retriesOf({ mrc: { linearTimeouts, exponentialTimeouts } }: ValidHost): number | null {
  return exponentialTimeouts === TIMEOUTS_FOR_EVER ? null : linearTimeouts + exponentialTimeouts - 1;
}

function rejectStates({ network: { nodes } }: ValidScenario, source: number, transport: Transport): never {
  return rejectScenario({
    what: `path selection entropy-states of ${nodes[source].name}`,
    problem: 'needs transport mrc for all flows that the host sends',
    got: { pathSelection: 'entropy-states', transport },
    where: 'hosts.pathSelection',
    hint: 'Set hosts.transport to mrc, or hosts.pathSelection to bitmap',
  });
}

function minWindowPackets(transport: Transport): number {
  return transport === 'tolerant' || transport === 'mrc' ? MIN_TOLERANT_WINDOW_PACKETS : MIN_REORDERING_WINDOW_PACKETS;
}

/** Loss detection of `tolerant`; 0 in the settings means never. */
function tolerantLosses({ tolerant: { distancePackets, lossTimeUs } }: ValidHost): TolerantLosses {
  return {
    distancePackets: distancePackets === 0 ? null : distancePackets,
    lossTimePs: lossTimeUs === 0 ? null : Math.max(1, ps(lossTimeUs)),
  };
}

function mrcPlan({ hosts: { mrc }, trimming, balancing, faults }: ValidScenario,
  { longestRttPs, graph }: TransportContext): MrcPlan {
  const discards = discardsOf(faults, graph);
  const share = trimming === null ? REORDER_SHARES.none : REORDER_SHARES.trimming;
  const reorderPs = mrc.reorderUs === null ? Math.round(share * longestRttPs) : ps(mrc.reorderUs);
  return {
    sackEveryBytes: mrc.sackBytes,
    requestsAckInSmallWindow: mrc.ackRequest === 'small-window',
    ...(mrc.windowRule === 'packet-fits' ? { sendsWholePackets: true } : {}),
    reorderPs: mrc.reorderUs === 0 ? null : Math.max(1, reorderPs),
    ...(mrc.reorderPackets === 0 ? {} : { reorderPackets: mrc.reorderPackets }),
    ...(mrc.receiverRangePackets === null ? {} : { receiverRangePackets: mrc.receiverRangePackets }),
    ...(mrc.dynamicRange ? { announcesRange: true } : {}),
    ...(mrc.inFlight === 'received-bytes' ? { countsReceived: true } : {}),
    ...(mrc.maxWriteImms === 0 ? {} : { maxMessages: mrc.maxWriteImms }),
    ...(mrc.windowPenalty === 0 ? {} : { windowPenalty: mrc.windowPenalty }),
    ...(mrc.restoreWindow ? { restoresWindow: true } : {}),
    ...(mrc.oorPolicy === 'drop' ? { dropsBeyond: true } : {}),
    ...(discards.length === 0 ? {} : { discards }),
    nackBytes: NACK_BYTES,
    ...(mrc.windowProbes ? { windowProbeBytes: PROBE_BYTES + usidHeaderBytes(balancing.usids) } : {}),
    linearTimeouts: mrc.linearTimeouts,
    timeoutsCount: mrc.timeoutsCount,
  };
}

/** Default reaction of congestion control to a loss: none under IRN (SIGCOMM 2018, section 3.1). */
function defaultReaction(transport: Transport): LossReaction {
  return transport === 'irn' ? 'none' : 'algorithm';
}

function drops({ fidelity, faults }: ValidScenario): TransportDrop[] {
  if (fidelity !== 'standard') return [];
  return faults.flatMap((fault) => {
    if (fault.kind !== 'drop') return [];
    return [{ flow: fault.flow, sequence: fault.firstByte, arrival: fault.arrival, of: fault.of ?? DEFAULT_DROPPED }];
  });
}

function requireRings(transports: TransportsPlan, { flows, connections, mtuBytes }: TransportContext): void {
  const got = transportBytes(transports, flows, streamSizes(flows, connections, mtuBytes), mtuBytes);
  if (got <= RINGS_MAX_BYTES) return;
  const allowed = { max: RINGS_MAX_BYTES, unit: 'bytes' };
  const hint = 'They grow with hosts.reorderingWindowPackets, hosts.irn.windowBytes and the number of flows';
  rejectScenario({ what: 'the memory for what transports keep', got, allowed, where: 'hosts.transport', hint });
}

function ps(timeUs: number): number {
  return Math.round(timeUs * PS_PER_US);
}

/** When hosts begin and end to discard packets of MRC (fault `receiver-discards`), in order of time. Where faults of a host overlap, the first one listed decides. */
function discardsOf(faults: readonly FaultSpec[], { network: { nodes } }: Graph): DiscardPlan[] {
  const all = faults.flatMap((fault) => fault.kind === 'receiver-discards' ? [fault] : []);
  const plans = [...new Set(all.map(({ host }) => host))].flatMap((host) => {
    const node = nodes.findIndex(({ name }) => name === host);
    return discardsOfHost(all.filter((fault) => fault.host === host)).map((change) => ({ ...change, node }));
  });
  return plans.sort((a, b) => a.timePs - b.timePs || a.node - b.node);
}

function discardsOfHost(faults: readonly ReceiverDiscardsSpec[]): Omit<DiscardPlan, 'node'>[] {
  const timesPs = [...new Set(faults.flatMap(timesOf))].filter((timePs) => timePs < Infinity).sort((a, b) => a - b);
  return timesPs.map((timePs) => {
    const active = faults.find((fault) => {
      const [fromPs, toPs] = timesOf(fault);
      return fromPs <= timePs && timePs < toPs;
    });
    return { timePs, reason: active?.reason ?? null };
  });
}

/** Rejects such a fault in a network without flows of MRC, which it could not affect. */
function requireMrcForDiscards(faults: readonly FaultSpec[] = []): void {
  const index = faults.findIndex(({ kind }) => kind === 'receiver-discards');
  if (index < 0) return;
  const where = `faults[${index}]`;
  rejectScenario({
    what: where,
    problem: 'needs flows of transport mrc',
    got: 'receiver-discards',
    where,
    hint: 'Set hosts.transport to mrc',
  });
}

/** The plan of port status updates of MRC; empty if no host notifies another one of its ports. @throws RoceError `invalid-scenario` where senders choose whole paths. */
function portStatusOf(valid: ValidScenario, transports: Pick<TransportsPlan, 'kinds' | 'kindOf'>,
  context: TransportContext): { readonly portStatus?: PortStatusPlan } {
  if (!valid.hosts.mrc.portStatus || context.graph.network.planes === undefined) return {};
  const pairs = pairsOf(transports, context);
  if (pairs.length === 0) return {};
  requireHashedRoutes(valid);
  const sizes = { requestBytes: ENDPOINT_REQUEST_BYTES, responseBytes: ENDPOINT_RESPONSE_BYTES };
  return { portStatus: { pairs, sends: STATUS_SENDS, ...sizes } };
}

function requireHashedRoutes({ switches }: ValidScenario): void {
  if (!switches.some((own) => own?.balancingRule === 'source-route')) return;
  rejectScenario({
    what: 'hosts.mrc.portStatus',
    problem: 'needs adapters that choose planes, but source routes contain them',
    got: { portStatus: true, loadBalancing: 'source-route' },
    where: 'hosts.mrc.portStatus',
    hint: 'Set switches.loadBalancing to another rule, or leave hosts.mrc.portStatus out',
  });
}

/** Pairs of hosts with an MRC flow between them, which notify each other, in order of the first such flow. */
function pairsOf({ kinds, kindOf }: Pick<TransportsPlan, 'kinds' | 'kindOf'>,
  { graph, flows, connections }: TransportContext): PortStatusPair[] {
  const pairs = new Map<string, PortStatusPair>();
  const adapterOf = (host: number): number => peerOf(graph, graph.firstPort[host]);
  const add = (host: number, peer: number, flow: number): void => {
    const key = `${host} ${peer}`;
    if (!pairs.has(key))
      pairs.set(key, { host, adapter: adapterOf(host), peer, peerAdapter: adapterOf(peer), flow });
  };
  for (let flow = 0; flow < flows.length; flow++) {
    if (kinds[kindOf[flow]].transport !== 'mrc') continue;
    const [source, destination] = [flows.source[flow], flows.destination[flow]];
    const leader = connections?.leaderOf[flow] ?? -1;
    add(source, destination, leader < 0 ? flow : leader);
    add(destination, source, leader < 0 ? flow : leader);
  }
  return [...pairs.values()];
}

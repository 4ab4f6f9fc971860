/**
 * The chain of operations that determined a job's end. It starts at the operation that ended last and goes back from each
 * operation to the cause of its start: the message of a receive, a dependency's end or start, or the previous operation on its
 * lane. Iterative, as a chain may include all operations.
 *
 *   completion = computes + overheads of sends and receives + messages in an idle network + their waits
 *
 * The wait of a message is its time beyond that in an idle network. Its division among the queues of ports is an estimate
 * (`MessageTimes`); the remainder is the time that congestion control, pauses or losses held the sender back.
 */
import { OPERATION_DONE } from '../../../abi/records/graph.js';
import { COMPUTE, LINK_TIME, RECEIVE, SEND } from '../../../workloads/graph/workload-graph.js';
import type { FlowPaths } from '../../compile/compiled-scenario.js';
import { idealPs, TxTimes } from '../../compile/paths.js';
import type { NetworkPlan } from '../../plan.js';
import type { CriticalPath, CriticalStep, FlowResult, PortResult, SeriesResult } from '../../result.js';
import { spreadOfPlan, type IsSpread } from '../balancing/path-selection.js';
import type { RawJob } from './memory.js';
import type { JobPlan } from './plan.js';

const PS_PER_BIT_AT_1_BPS = 8e12;
/** Maximum number of steps in a result; the last ones are kept. */
const STEPS_KEPT = 256;
/** Maximum number of ports in a result. */
const PORTS_KEPT = 16;

/** An operation on the path, and the time since the cause of its start. */
interface Link {
  readonly kind: CriticalStep['kind'];
  readonly operation: number;
  readonly fromPs: number;
  readonly toPs: number;
  /** Flow of a message; -1: none. */
  readonly flow: number;
  readonly alonePs: number;
}

/** The critical path of a job; undefined if the job has not ended or has no operations. */
export function criticalPath(facts: JobFacts, network: NetworkFacts): CriticalPath | undefined {
  const { job: { graph }, raw } = facts;
  let last = 0;
  for (let operation = 0; operation < graph.length; operation++) {
    if (raw.state[operation] !== OPERATION_DONE) return undefined;
    if (raw.endPs[operation] > raw.endPs[last]) last = operation;
  }
  return graph.length === 0 ? undefined : new Walk(facts, network).from(last);
}

class Walk {
  readonly #facts: JobFacts;
  readonly #network: NetworkFacts;
  readonly #times: MessageTimes;
  readonly #sums = { computePs: 0, overheadPs: 0, messagePs: 0, queueingPs: 0, heldBackPs: 0, otherPs: 0 };
  readonly #byPort = new Map<number, number>();
  /** The last steps of the path, latest first. */
  readonly #steps: CriticalStep[] = [];
  #count = 0;

  constructor(facts: JobFacts, network: NetworkFacts) {
    this.#facts = facts;
    this.#network = network;
    this.#times = new MessageTimes(network);
  }

  from(last: number): CriticalPath {
    const { raw, startPs } = this.#facts;
    let operation = last;
    // All time after this is explained. An operation is on the path with its end, or (`isEnd` false) only with its start.
    let untilPs = raw.endPs[last];
    let isEnd = true;
    while (operation >= 0) {
      if (isEnd) untilPs = this.#explainEnd(operation, untilPs);
      const sender = this.#senderOf(operation);
      if (isEnd && sender >= 0) {
        [operation, isEnd] = [sender, false];
        continue;
      }
      const { cause } = raw;
      const before = cause[operation];
      const beforePs = before < 0 ? startPs : this.#timeOf(before, untilPs);
      this.#sums.otherPs += untilPs - beforePs;
      isEnd = before >= 0 && raw.endPs[before] === beforePs;
      [operation, untilPs] = [before, beforePs];
    }
    return this.#made();
  }

  /** When a cause allowed the next operation to start: at the cause's end if that is early enough, else at the cause's start. */
  #timeOf(cause: number, untilPs: number): number {
    const { raw } = this.#facts;
    return raw.endPs[cause] <= untilPs ? raw.endPs[cause] : Math.min(raw.startPs[cause], untilPs);
  }

  /** The send that a receive waited for; -1 for other operations. */
  #senderOf(operation: number): number {
    const { job: { graph }, raw } = this.#facts;
    const isMessage = graph.operations.kind[operation] === RECEIVE && raw.cause[operation] === raw.match[operation];
    return isMessage ? raw.match[operation] : -1;
  }

  /** Explains an operation's time up to `untilPs`; returns when it began, before which the time is still unexplained. */
  #explainEnd(operation: number, untilPs: number): number {
    const { job, raw, flowOf } = this.#facts;
    const kind = job.graph.operations.kind[operation];
    if (kind === COMPUTE) {
      return this.#keep({
        kind: 'compute',
        operation,
        fromPs: raw.startPs[operation],
        toPs: untilPs,
        flow: -1,
        alonePs: 0,
      });
    }
    if (kind === SEND) return this.#message(operation, operation, untilPs, flowOf[operation], false);
    const sender = this.#senderOf(operation);
    const overheadPs = Math.min(job.receiveOverheadPs, untilPs - raw.startPs[operation]);
    const arrivedPs = untilPs - overheadPs;
    this.#sums.overheadPs += overheadPs;
    // The message had already arrived; the receive waited for its lane.
    if (sender < 0 && this.#isBetween(raw.cause[operation], raw.startPs[operation], arrivedPs)) return arrivedPs;
    if (sender < 0) {
      this.#sums.otherPs += arrivedPs - raw.startPs[operation];
      return raw.startPs[operation];
    }
    return this.#message(operation, sender, arrivedPs, flowOf[sender], job.receiveDone === 'last-byte');
  }

  /** Whether a cause ended between two times. */
  #isBetween(cause: number, fromPs: number, toPs: number): boolean {
    if (cause < 0) return false;
    const endPs = this.#facts.raw.endPs[cause];
    return endPs > fromPs && endPs <= toPs;
  }

  #message(operation: number, sender: number, untilPs: number, flow: number, isOneWay: boolean): number {
    const { job, raw } = this.#facts;
    const startPs = raw.startPs[sender];
    const leftPs = Math.min(untilPs, startPs + job.sendOverheadPs);
    this.#sums.overheadPs += leftPs - startPs;
    const isUnderWay = flow >= 0 && untilPs > leftPs;
    const alonePs = !isUnderWay ? 0 : isOneWay ? this.#times.oneWayPs(flow) : this.#times.ackedPs(flow);
    this.#keep({ kind: 'message', operation, fromPs: leftPs, toPs: untilPs, flow, alonePs });
    return startPs;
  }

  #keep({ kind, operation, fromPs, toPs, flow, alonePs }: Link): number {
    const { job: { graph }, rankOf, raw } = this.#facts;
    const takenPs = toPs - fromPs;
    if (takenPs === 0) return fromPs;
    this.#count++;
    const waitedPs = kind === 'message' ? Math.max(0, takenPs - alonePs) : 0;
    const isCompute = kind === 'compute' && graph.operations.nic[operation] !== LINK_TIME;
    if (isCompute) this.#sums.computePs += takenPs;
    else this.#sums.messagePs += takenPs - waitedPs;
    const ports = waitedPs > 0 && flow >= 0 ? this.#times.waits(flow, fromPs, toPs, waitedPs) : [];
    const queuedPs = ports.reduce((sum, { port, waitPs }) => {
      this.#byPort.set(port, (this.#byPort.get(port) ?? 0) + waitPs);
      return sum + waitPs;
    }, 0);
    this.#sums.queueingPs += queuedPs;
    this.#sums.heldBackPs += waitedPs - queuedPs;
    if (this.#steps.length >= STEPS_KEPT) return fromPs;
    const peer = kind === 'message' && graph.operations.kind[operation] === RECEIVE ? raw.match[operation] : operation;
    this.#steps.push({ kind, rank: rankOf[peer], operation, what: graph.describe(peer), fromPs, toPs, waitedPs, flow });
    return fromPs;
  }

  #made(): CriticalPath {
    const { portNames } = this.#network;
    const ports = [...this.#byPort].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, PORTS_KEPT)
      .map(([port, waitPs]) => ({ port: portNames[port], waitPs: Math.round(waitPs) }));
    const { queueingPs, heldBackPs, ...exact } = this.#sums;
    // The parts are estimates in whole picoseconds; their sum is exact.
    const queued = Math.round(queueingPs);
    const sums = { ...exact, queueingPs: queued, heldBackPs: Math.round(queueingPs + heldBackPs) - queued };
    return { ...sums, ports, stepCount: this.#count, steps: this.#steps.reverse() };
  }
}

/** The wait of a message at a port of its path. */
interface PortWait {
  /** Index of the port. */
  readonly port: number;
  readonly waitPs: number;
}

/** How long messages take in an idle network, and where slower ones waited. */
class MessageTimes {
  readonly #facts: NetworkFacts;
  readonly #times: TxTimes;
  readonly #rates: { readonly rateBps: readonly number[]; readonly delayPs: readonly number[] };
  /** Whether the packets of a host's flows are spread over several paths. */
  readonly #isSpread: IsSpread;
  /** Flows by sending host, computed on first use. */
  #flowsFrom: Map<string, number[]> | undefined;

  constructor(facts: NetworkFacts) {
    this.#facts = facts;
    this.#isSpread = spreadOfPlan(facts.plan);
    const { rules, ports } = facts.plan;
    this.#times = new TxTimes(rules.txTime);
    this.#rates = { rateBps: ports.map(({ rateBps }) => rateBps), delayPs: ports.map(({ delayPs }) => delayPs) };
  }

  /** Time from a flow's start to its last byte at the receiver in an idle network. */
  oneWayPs(flow: number): number {
    const { plan: { flows, nodes, rules }, flowPaths } = this.#facts;
    const mtuBytes = nodes[flows.source[flow]].mtuBytes ?? rules.mtuBytes;
    const sizes = { headerBytes: flows.headerBytes[flow], ackBytes: flows.ackBytes[flow] };
    const paths = { there: flowPaths.get(flow), back: [] };
    const { wireOverheadBytes } = rules;
    const own = { mtuBytes, wireOverheadBytes, isSpread: this.#isSpread(flows.source[flow]) };
    return idealPs(this.#rates, this.#times, own, sizes, flows.sizeBytes[flow], paths);
  }

  /** Time from a flow's start to its last ACK in an idle network. */
  ackedPs(flow: number): number {
    return this.#facts.plan.flows.idealPs[flow];
  }

  /**
   * Estimates where a message waited: at each port of its path for the longest sampled queue while it was in flight (without
   * samples, the mean queue of the run), and at its own host for earlier messages, if messages have separate results. If the
   * sum exceeds the message's wait, it is scaled down.
   */
  waits(flow: number, fromPs: number, toPs: number, waitedPs: number): PortWait[] {
    const path = this.#facts.flowPaths.get(flow);
    const guesses = path.map((port, hop) => ({
      port,
      waitPs: hop === 0 ? this.#behindOthersPs(flow, fromPs, toPs) : this.#queuePs(port, fromPs, toPs),
    }));
    const sum = guesses.reduce((total, { waitPs }) => total + waitPs, 0);
    const scale = sum > waitedPs ? waitedPs / sum : 1;
    return guesses.filter(({ waitPs }) => waitPs > 0).map(({ port, waitPs }) => ({ port, waitPs: waitPs * scale }));
  }

  #queuePs(port: number, fromPs: number, toPs: number): number {
    const { portNames, ports, series } = this.#facts;
    const samples = (series.mostQueueBytes ?? series.queueBytes)[portNames[port]];
    const { rateBps, meanQueueBytes } = ports[port];
    const bytes = samples === undefined ? meanQueueBytes : mostBetween(series.timesPs, samples, fromPs, toPs);
    return ((bytes ?? meanQueueBytes) * PS_PER_BIT_AT_1_BPS) / rateBps;
  }

  /** Time until the last of the host's earlier messages was done, at most until the message's own end. */
  #behindOthersPs(flow: number, fromPs: number, toPs: number): number {
    const { flows } = this.#facts;
    if (flows.length === 0) return 0;
    let lastPs = fromPs;
    for (const other of this.#from(flows[flow].from)) {
      const { startPs, completionPs } = flows[other];
      if (startPs > fromPs || (startPs === fromPs && other >= flow) || completionPs === null) continue;
      lastPs = Math.max(lastPs, startPs + completionPs);
    }
    return Math.min(lastPs, toPs) - fromPs;
  }

  #from(host: string): readonly number[] {
    if (this.#flowsFrom === undefined) {
      this.#flowsFrom = new Map();
      for (const { index, from } of this.#facts.flows) {
        const known = this.#flowsFrom.get(from);
        if (known === undefined) this.#flowsFrom.set(from, [index]);
        else known.push(index);
      }
    }
    return this.#flowsFrom.get(host) ?? [];
  }
}

/** Maximum of the samples between two times and the one that follows; undefined: no samples. */
function mostBetween(timesPs: readonly number[], values: readonly number[], fromPs: number, toPs: number): number
  | undefined {
  let [low, high] = [0, timesPs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesPs[middle] < fromPs) low = middle + 1;
    else high = middle;
  }
  let most: number | undefined;
  for (let at = low; at < timesPs.length; at++) {
    most = Math.max(most ?? 0, values[at]);
    if (timesPs[at] >= toPs) break;
  }
  return most;
}

/** A network and its results after a run. */
export interface NetworkFacts {
  readonly plan: NetworkPlan;
  readonly flowPaths: FlowPaths;
  readonly portNames: readonly string[];
  readonly flows: readonly FlowResult[];
  readonly ports: readonly PortResult[];
  readonly series: SeriesResult;
}

/** A job and its results after a run. */
export interface JobFacts {
  readonly job: JobPlan;
  readonly raw: RawJob;
  readonly startPs: number;
  /** Flow of each operation; -1: none. */
  readonly flowOf: Int32Array;
  /** Rank of each operation. */
  readonly rankOf: Uint32Array;
}

export function jobFacts(job: JobPlan, raw: RawJob, startPs: number): JobFacts {
  const { graph, hosts } = job;
  const flowOf = new Int32Array(graph.length).fill(-1);
  const rankOf = new Uint32Array(graph.length);
  const { kind, peer } = graph.operations;
  let flow = job.firstFlow;
  for (let rank = 0; rank < graph.ranks; rank++) {
    for (let operation = graph.firstOperation[rank]; operation < graph.firstOperation[rank + 1]; operation++) {
      rankOf[operation] = rank;
      if (kind[operation] === SEND && hosts[rank] !== hosts[peer[operation]]) flowOf[operation] = flow++;
    }
  }
  return { job, raw, startPs, flowOf, rankOf };
}

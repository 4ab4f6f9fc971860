/** How long messages take in an idle network, and where slower ones waited. */
import { idealPs } from '../../compile/ideal.js';
import { spreadOfPlan, type IsSpread } from '../balancing/spread.js';
import { TxTimes } from '../../compile/tx-time.js';
import type { NetworkFacts } from './facts.js';

/** The wait of a message at a port of its path. */
export interface PortWait {
  /** Index of the port. */
  readonly port: number;
  readonly waitPs: number;
}

const PS_PER_BIT_AT_1_BPS = 8e12;

export class MessageTimes {
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

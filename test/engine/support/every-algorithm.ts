/** Random events for engines with every algorithm: packets, ACKs of every kind, NACKs, credit, losses and CNPs. */
import { gbps, us, type Engine } from '../../../src/index.js';
import type { AlgorithmParameters } from '../../../src/config/algorithms/registry.js';
import { hpccNs3 } from '../../../src/config/algorithms/hpcc-presets.js';
import { hpccPpDraft } from '../../../src/config/algorithms/hpcc-pp.js';
import { nsccMrc, nsccUet } from '../../../src/config/algorithms/nscc.js';
import { rcccUet } from '../../../src/config/algorithms/rccc.js';
import { timelySigcomm15 } from '../../../src/config/algorithms/timely.js';
import type { AckFields, AckTelemetry, NackFields } from '../../../src/engine/ack-records.js';
import { ALGORITHM_EXAMPLES } from '../../support/algorithm-examples.js';
import type { Herd } from './herd.js';

const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(10) };

/** One parameter set of each algorithm and of each of its variants. */
export const EVERY_ALGORITHM: Readonly<Record<string, AlgorithmParameters>> = {
  ...ALGORITHM_EXAMPLES,
  'hpcc-int64': hpccNs3('run.py', RTT),
  'hpcc-per-hop': hpccNs3('multirate', RTT),
  'timely-sigcomm15': timelySigcomm15(LINE),
  'nscc-mrc': nsccMrc({ ...RTT, lastHopTrims: 'leave', nackRtt: 'ignore', adaptTargets: 0.5 }),
  'nscc-small': nsccUet({ ...RTT, initialWindowBytes: 9000, quickAdapt: false, targetDelayPs: us(20), fairGain: 100 }),
  'rccc-small': rcccUet({ ...RTT, initialCreditBytes: 3000, maxWindowBdps: 0.1, timeoutCredit: 'none' }),
  'hpcc-pp-timer': hpccPpDraft({
    ...RTT,
    clock: 'timer',
    signalSources: ['acks', 'cnps'],
    firstSample: 'queue-only',
    recoveryPeriodPs: 0,
  }),
};
const NAMES = Object.keys(EVERY_ALGORITHM);
/** Three QPs per parameter set. */
export const QPS = NAMES.length * 3;
/** Events per batch. */
export const BATCH = 64;

/** A generator with an explicit seed, so that a failure can be repeated. */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }
}

function telemetry(chance: Chance, timePs: number): AckTelemetry | undefined {
  const kind = chance.below(8);
  if (kind === 0) return undefined;
  const count = chance.below(20) === 0 ? chance.below(6) : 1 + chance.below(3);
  if (kind < 5) {
    const hops = Array.from({ length: count }, (_, hop) => ({
      timePs: Math.max(0, timePs - chance.below(3) * 1_000_000 - hop * 1000),
      txBytes: Math.floor(timePs / 100) + chance.below(3) * 1000,
      qlenBytes: chance.below(3) === 0 ? 0 : chance.below(200_000),
      lineRateBps: gbps(chance.below(4) === 0 ? 400 : 100),
      hopId: chance.below(50) === 0 ? 7 : hop,
    }));
    return { kind: 'exact', hops, pathId: chance.below(60) === 0 ? 1 : 0 };
  }
  const hops = Array.from({ length: Math.min(count, 5) }, () => ({
    lineRateCode: chance.below(6),
    time: (Math.floor(timePs / 1000) + chance.below(5000)) % 2 ** 24,
    bytes: chance.below(2 ** 20),
    qlen: chance.below(2 ** 17),
  }));
  const isFull = hops.length === 5 && chance.below(4) === 0;
  return { kind: 'int64', hopCount: isFull ? 6 + chance.below(300) : hops.length, hops };
}

/** Sometimes the receiver requests a smaller window or restores it. */
function penalty(chance: Chance): Pick<AckFields, 'windowPenalty' | 'restoreWindow'> {
  if (chance.below(4) > 0) return {};
  return { windowPenalty: chance.below(2) * (1 + chance.below(127)), restoreWindow: chance.below(3) === 0 };
}

export function ackFields(chance: Chance, timePs: number, sequence: number): AckFields {
  const gathered = telemetry(chance, timePs);
  return {
    ackSeq: sequence,
    sndNxt: sequence + chance.below(200) * 1000,
    ecnEcho: chance.below(3) === 0,
    ...(chance.below(10) === 0 ? {} : { sentTimePs: Math.max(0, timePs - us(5) - chance.below(us(100))) }),
    hostDelayPs: chance.below(4) === 0 ? us(1) : 0,
    pathHops: chance.below(6),
    ackedPackets: 1 + chance.below(4),
    ...(chance.below(10) === 0 ? {} : { ackedBytes: chance.below(20_000) }),
    ...(chance.below(8) === 0 ? {} : { pintPower: chance.below(256) }),
    ...penalty(chance),
    ...(gathered ? { telemetry: gathered } : {}),
  };
}

export function nackFields(chance: Chance, timePs: number): NackFields {
  return {
    trimmedBytes: chance.below(5000),
    lastHop: chance.below(2) === 0,
    ...(chance.below(4) === 0 ? {} : { sentTimePs: Math.max(0, timePs - us(5) - chance.below(us(100))) }),
  };
}

/** Mostly a pull number that grows with time, sometimes an old one. */
export function pullNumber(chance: Chance, timePs: number): number {
  return chance.below(4) === 0 ? chance.below(1000) : Math.floor(timePs / 1e4) + chance.below(100);
}

/** A loss, a NACK or credit. */
function rarerEvent(chance: Chance, timePs: number, qp: number): (engine: Engine) => void {
  if (chance.below(3) === 0) {
    const granted = pullNumber(chance, timePs);
    return (engine) => engine.events.credit(timePs, qp, granted);
  }
  const found = chance.below(2) === 0 ? 'fast' : 'timeout';
  if (chance.below(3) > 0) return (engine) => engine.events.loss(timePs, qp, found);
  const fields = nackFields(chance, timePs);
  return (engine) => engine.events.nack(timePs, qp, fields);
}

/** Opens QPs of every parameter set on one endpoint. */
export function openAll(herd: Played): void {
  herd.step((engine) => engine.addEndpoint());
  for (let qp = 0; qp < QPS; qp++)
    herd.step((engine) => engine.openQp({ localQpn: qp + 1, parameterSet: NAMES[qp % NAMES.length]! }));
}

/** The engines that receive the events. */
export type Played = Pick<Herd, 'first' | 'step' | 'check'>;

/** Feeds random events in batches; `afterBatch` gets the time of the last event and the number of events. */
export function playEvents(herd: Played, seed: number, steps: number,
  afterBatch?: (timePs: number, done: number) => void): void {
  const chance = new Chance(seed);
  let timePs = 0;
  const sequences = new Array<number>(QPS).fill(0);
  for (let i = 0; i < steps; i++) {
    timePs += chance.below(3) === 0 ? 0 : chance.below(us(3));
    const at = chance.below(100) === 0 ? Math.max(0, timePs - us(2)) : timePs;
    const qp = chance.below(QPS);
    const kind = chance.below(10);
    if (kind < 4) {
      herd.step((engine) => {
        engine.events.sent(at, qp, 1000 + (i % 90));
      });
    } else if (kind < 8) {
      sequences[qp] += chance.below(20) * 1000;
      const fields = ackFields(chance, at, sequences[qp]!);
      herd.step((engine) => {
        engine.events.ack(at, qp, fields);
      });
    } else if (kind === 8) {
      herd.step(rarerEvent(chance, at, qp));
    } else if (chance.below(2) === 0) {
      herd.step((engine) => {
        engine.events.cnp(at, qp);
      });
    } else {
      herd.step((engine) => {
        engine.events.touch(at, qp);
      });
    }
    if (i % BATCH === BATCH - 1) {
      herd.step((engine) => engine.applyEvents());
      herd.check();
      afterBatch?.(timePs, i + 1);
    }
  }
  herd.step((engine) => engine.applyEvents());
  herd.check();
}

/**
 * Fingerprints of the engine after a stream of random events: the lines `state NAME HASH` of bench/hashes.txt.
 *
 * Imports the library's default entry and nothing of Node, so that test/runtimes can run it in any runtime.
 */
import { createEngineSync, dcqcnConnectx, dcqcnNs3, dcqcnSigcomm15, dctcpNs3, gbps, hpccNs3, hpccPintNs3, hpccPpDraft,
  hpccSigcomm19, nsccMrc, nsccUet, rcccUet, swiftSigcomm20, timelyNs3, us, type Engine,
  type EngineOptions } from '../../src/index.js';
import { randomFrom } from './random.js';

const LINE = { lineRateBps: gbps(100) };
const RTT = { ...LINE, baseRttPs: us(13) };
const QPS = 1000;
const EVENTS = 200_000;
const BATCH = 4096;
const HOPS = 5;
const BYTES_PER_PS = gbps(100) / 8e12;

const PARAMETER_SETS = {
  'dcqcn-sigcomm15': dcqcnSigcomm15(LINE),
  'dcqcn-ns3': dcqcnNs3('dcqcn', LINE),
  'dcqcn-connectx': dcqcnConnectx(LINE),
  'hpcc-sigcomm19': hpccSigcomm19(RTT),
  'hpcc-ns3': hpccNs3('paper-stage5', { ...RTT, windowBytes: 162_500 }),
  'hpcc-pint-ns3': hpccPintNs3({ ...RTT, windowBytes: 162_500 }),
  'hpcc-pp-draft': hpccPpDraft(RTT),
  'timely-ns3': timelyNs3(LINE),
  'dctcp-ns3': dctcpNs3(LINE),
  'swift-sigcomm20': swiftSigcomm20(LINE),
  'nscc-uet': nsccUet(RTT),
  'nscc-mrc': nsccMrc(RTT),
  'rccc-uet': rcccUet(RTT),
} as const;
/** Their streams carry what the others' algorithms do not read: they are not in the mix. */
const NOT_MIXED: readonly string[] = ['hpcc-ns3', 'hpcc-pint-ns3', 'nscc-uet', 'nscc-mrc', 'rccc-uet'];

/** The state after `EVENTS` random events of `QPS` queue pairs, with their parameter sets round-robin. */
function stateHash(options: EngineOptions, create: CreateEngine): string {
  const engine = create({ ...options, hashSeed: 1, capacity: { qps: QPS, events: BATCH, packets: 1 } });
  const names = Object.keys(options.parameterSets);
  for (let qp = 0; qp < QPS; qp++) engine.openQp({ localQpn: qp + 1, parameterSet: names[qp % names.length] ?? '' });
  const random = randomFrom(42);
  const stream = new Stream(random);
  for (let i = 0; i < EVENTS; i++) {
    const qp = random() % QPS;
    addEvent(engine, stream, qp, us(100) + i * 20_000, names[qp % names.length] ?? '');
    if (engine.events.isFull) engine.applyEvents();
  }
  engine.applyEvents();
  return engine.stateHash();
}

function addEvent(engine: Engine, stream: Stream, qp: number, timePs: number, name: string): void {
  const kind = stream.random() % 16;
  if (kind < 6) engine.events.sent(timePs, qp, 1000 + (stream.random() % 60_000));
  else if (name.startsWith('dcqcn')) engine.events.cnp(timePs, qp);
  else if (name.startsWith('nscc') && kind < 15) addNsccEvent(engine, stream, qp, timePs);
  else if (kind === 15) engine.events.loss(timePs, qp, stream.random() % 8 === 0 ? 'timeout' : 'fast');
  else if (name.startsWith('rccc') && kind > 7) engine.events.credit(timePs, qp, stream.pullNumber(qp));
  else engine.events.ack(timePs, qp, stream.ack(qp, timePs, name));
}

/** An ACK, or in one of 32 cases a NACK. */
function addNsccEvent(engine: Engine, stream: Stream, qp: number, timePs: number): void {
  if (stream.random() % 32 === 0) engine.events.nack(timePs, qp, stream.nack(timePs));
  else engine.events.ack(timePs, qp, stream.nsccAck(qp, timePs));
}

/** Acknowledgements and credit, whose sequence numbers and counters continue per queue pair, and NACKs. */
class Stream {
  readonly random: () => number;
  readonly #acks = new Uint32Array(QPS);
  readonly #txBytes = new Float64Array(QPS * HOPS);
  readonly #lastPs = new Float64Array(QPS);
  readonly #pullNumbers = new Float64Array(QPS);

  constructor(random: () => number) {
    this.random = random;
  }

  ack(qp: number, timePs: number, name: string): Parameters<Engine['events']['ack']>[2] {
    const count = (this.#acks[qp] = (this.#acks[qp] ?? 0) + 1);
    const common = {
      ackSeq: count,
      sndNxt: count + (this.random() % 4),
      ecnEcho: this.random() % 4 === 0,
      sentTimePs: timePs - us(8) - (this.random() % us(40)),
    };
    if (name === 'hpcc-pint-ns3') return { ...common, pintPower: this.random() % 256 };
    if (!name.startsWith('hpcc')) return { ...common, pathHops: HOPS, hostDelayPs: us(1) };
    return { ...common, telemetry: name === 'hpcc-ns3' ? this.#int64(timePs) : this.#exact(qp, timePs) };
  }

  /** Marked ones have waited longer, so that the average delay passes the target. */
  nsccAck(qp: number, timePs: number): Parameters<Engine['events']['ack']>[2] {
    const count = (this.#acks[qp] = (this.#acks[qp] ?? 0) + 1);
    const sndNxt = count + (this.random() % 4);
    const ecnEcho = this.random() % 2 === 0;
    const sentTimePs = timePs - us(8) - (this.random() % us(ecnEcho ? 60 : 20));
    return { ackSeq: count, sndNxt, ecnEcho, sentTimePs, ackedBytes: this.random() % 30_000 };
  }

  nack(timePs: number): Parameters<Engine['events']['nack']>[2] {
    const sentTimePs = timePs - us(8) - (this.random() % us(40));
    return { sentTimePs, trimmedBytes: this.random() % 4097, lastHop: this.random() % 4 === 0 };
  }

  /** Cumulative; one in eight was granted before. */
  pullNumber(qp: number): number {
    const last = this.#pullNumbers[qp] ?? 0;
    if (this.random() % 8 === 0) return this.random() % (last + 1);
    return (this.#pullNumbers[qp] = last + (this.random() % 256));
  }

  #exact(qp: number, timePs: number): AckTelemetry {
    const elapsedPs = timePs - (this.#lastPs[qp] ?? 0);
    this.#lastPs[qp] = timePs;
    const hops = Array.from({ length: HOPS }, (_, hop) => {
      const at = qp * HOPS + hop;
      const load = 0.3 + (0.8 * this.random()) / 2 ** 32;
      const txBytes = (this.#txBytes[at] = (this.#txBytes[at] ?? 0) + Math.floor(elapsedPs * BYTES_PER_PS * load));
      const qlenBytes = this.random() % 3 === 0 ? 0 : this.random() % 150_000;
      return { timePs: timePs - (HOPS - hop) * us(1), txBytes, qlenBytes, lineRateBps: gbps(100), hopId: hop + 1 };
    });
    return { kind: 'exact', hops };
  }

  #int64(timePs: number): AckTelemetry {
    const hops = Array.from({ length: HOPS }, () => ({
      lineRateCode: 2,
      time: Math.floor(timePs / 1000) % 2 ** 24,
      bytes: this.random() % 2 ** 20,
      qlen: this.random() % 2 ** 17,
    }));
    return { kind: 'int64', hopCount: HOPS, hops };
  }
}

type AckTelemetry = NonNullable<Parameters<Engine['events']['ack']>[2]['telemetry']>;

/** Makes an engine, or what has the calls of one that the streams make. */
type CreateEngine = (options: EngineOptions) => Engine;

/** A line per parameter set, and one of several in one engine. @param backend default: the usual one. */
export function stateHashes(backend: EngineOptions['backend'] = 'wasm'): Generator<string> {
  return stateHashesBy((options) => createEngineSync({ ...options, backend }));
}

/** The same, of engines made in another way. */
export function* stateHashesBy(create: CreateEngine): Generator<string> {
  for (const [name, parameters] of Object.entries(PARAMETER_SETS)) {
    yield `state ${name} ${stateHash({ parameterSets: { [name]: parameters } }, create)}`;
  }
  const mixed = Object.entries(PARAMETER_SETS).filter(([name]) => !NOT_MIXED.includes(name));
  yield `state mixed ${stateHash({ parameterSets: Object.fromEntries(mixed) }, create)}`;
}

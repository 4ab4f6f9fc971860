/** HPCC's model and wasm side by side, with random parameter sets and random telemetry, valid and invalid. */
import { HOP_RECORD_BYTES, HOP_STEP_BYTES } from '../../../src/abi/ack-layout.js';
import { type HpccParameters, validateHpcc } from '../../../src/config/algorithms/hpcc.js';
import { parameterRecord } from '../../../src/config/algorithms/registry.js';
import { PERIOD_MAX_PS, PERIOD_MIN_PS, STAGE_LIMIT, TARGET_UTILIZATION_MIN,
  WINDOW_MAX_BYTES } from '../../../src/config/algorithms/algorithm.js';
import type { Ack } from '../../../src/reference/algorithms/ack.js';
import { HpccModel, hopLimit } from '../../../src/reference/algorithms/hpcc/model.js';
import { INT64_LINE_RATES_BPS, quantizeHop, type HopSample, type RawHop,
  type Telemetry } from '../../../src/reference/algorithms/hpcc/hops.js';
import { WasmController, type WasmExports } from './harness.js';
import type { Seeded } from '../../support/seeded.js';
import { randomRates, Stream, type Twins } from './streams.js';
import { CONTROLLER } from '../../../src/abi/records/controllers.js';

const COMMITTED = 8;
const UTILIZATION = 16;
const PATH_ID = 32;
/** Beyond these the simulator's fields wrap. */
const RAW_SPANS = { time: 2 ** 24, bytes: 2 ** 20, qlen: 2 ** 17 };

/** The hops that the wasm keeps, with the model's names; `count` is the number of hops that fit. */
export function keptHops(wasm: WasmController, count: number) {
  const view = wasm.hops;
  return Array.from({ length: count }, (_, i) => {
    const at = i * HOP_RECORD_BYTES;
    const stepAt = count * HOP_RECORD_BYTES + i * HOP_STEP_BYTES;
    const [time, txBytes, qlen] = [0, 8, 16].map((field) => view.getFloat64(at + field, true));
    const [utilization, committed] = [0, 8].map((field) => view.getFloat64(stepAt + field, true));
    return {
      time,
      txBytes,
      qlen,
      utilization,
      committed,
      hopId: view.getUint32(at + 24, true),
      incStage: view.getUint32(at + 28, true),
    };
  });
}

/** The same as one list of numbers, for speed: random streams read it after each event. */
function hopNumbers(wasm: WasmController, count: number): number[] {
  const view = wasm.hops;
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    const at = i * HOP_RECORD_BYTES;
    const stepAt = count * HOP_RECORD_BYTES + i * HOP_STEP_BYTES;
    for (let field = at; field < at + 24; field += 8) numbers.push(view.getFloat64(field, true));
    for (let field = stepAt; field < stepAt + 16; field += 8) numbers.push(view.getFloat64(field, true));
    numbers.push(view.getUint32(at + 24, true), view.getUint32(at + 28, true));
  }
  return numbers;
}

/** The QP's state in the wasm, with the model's names. */
export function stateOf(wasm: WasmController) {
  return {
    rateBps: wasm.rateBps,
    windowBytes: wasm.windowBytes,
    committed: wasm.f64(COMMITTED),
    utilization: wasm.f64(UTILIZATION),
    incStage: wasm.u16(CONTROLLER.at.stage),
    started: wasm.started,
    lastUpdateSeq: wasm.lastUpdateSeq,
    lastEventPs: wasm.lastEventPs,
    nextSendPs: wasm.nextSendPs,
    lastLenBytes: wasm.u32(CONTROLLER.at.lastLenBytes),
    hopCount: wasm.u8(CONTROLLER.at.hopCount),
    pathId: wasm.u32(PATH_ID),
  };
}

export function hpccController(exports: WasmExports, parameters: HpccParameters): WasmController {
  return new WasmController(exports, 'hpcc', parameterRecord(parameters), hopLimit(parameters));
}

/** @param onOutcome receives the effect of each ACK on the model. */
export function hpccTwins(exports: WasmExports, parameters: HpccParameters,
  onOutcome: (outcome: string) => void): Twins {
  const inner = new HpccModel(parameters);
  const wasm = hpccController(exports, parameters);
  const model = {
    get rateBps() {
      return inner.rateBps;
    },
    get windowBytes() {
      return inner.windowBytes;
    },
    get nextSendPs() {
      return inner.nextSendPs;
    },
    onSent: (timePs: number, lenBytes: number) => inner.onSent(timePs, lenBytes),
    onAck: (ack: Ack) => {
      const outcome = inner.onAck(ack);
      onOutcome(outcome);
      return outcome;
    },
  };
  const limit = hopLimit(parameters);
  return {
    model,
    wasm,
    stateOfModel: () => {
      const s = inner.state;
      const numbers = [
        s.rateBps,
        s.windowBytes,
        s.committed,
        s.utilization,
        s.incStage,
        Number(s.started),
        s.lastUpdateSeq,
        s.lastEventPs,
        s.nextSendPs,
        s.lastLenBytes,
        s.hopCount,
        s.pathId,
      ];
      for (const h of s.hops) numbers.push(h.time, h.txBytes, h.qlen, h.utilization, h.committed, h.hopId, h.incStage);
      return numbers;
    },
    stateOfWasm: () => [...Object.values(stateOf(wasm)).map(Number), ...hopNumbers(wasm, limit)],
  };
}

/** Any valid parameter set; limits are as likely as usual values. */
export function randomHpcc(random: Seeded): HpccParameters {
  const rates = randomRates(random);
  const { numbers, maxRateBps } = rates;
  const primary = numbers === 'whole-bps' ? 'rate' : random.pick(['rate', 'window'] as const);
  const byWindow = primary === 'window';
  const baseRttPs = Math.floor(random.pick([10e6, 4_160_000, PERIOD_MIN_PS, PERIOD_MAX_PS, random.scaled(1e6, 1e9)]));
  const path = Math.max(1, Math.min(WINDOW_MAX_BYTES, Math.floor((maxRateBps * baseRttPs) / 8e12)));
  const largest = Math.min(WINDOW_MAX_BYTES, Math.floor((2 ** 64 - 2 ** 12) / maxRateBps));
  const windowBytes = Math.min(random.pick([path, path, 1, largest, random.whole(1, largest)]), largest);
  const minRateBps = byWindow ?
    Math.min(rates.minRateBps, Math.max(1000, (windowBytes * 7.9e12) / baseRttPs)) :
    rates.minRateBps;
  const fits = !byWindow || (minRateBps * baseRttPs) / 8e12 <= windowBytes;
  const records = random.pick(['exact', 'int64'] as const);
  const ewma = random.pick(['adaptive', 'adaptive', 'constant'] as const);
  const flag = (probability: number) => random.chance(probability);
  return validateHpcc({
    algorithm: 'hpcc',
    ...rates,
    minRateBps,
    primary: fits ? primary : 'rate',
    aiRateBps: byWindow && fits ? 0 : rates.aiRateBps,
    aiWindowBytes: byWindow && fits ? random.pick([0, 80, WINDOW_MAX_BYTES, random.next()]) : 0,
    baseRttPs,
    windowBytes,
    windowMode: byWindow && fits ? 'variable' : random.pick(['none', 'fixed', 'variable', 'variable']),
    targetUtilization: random.pick([0.95, 1, TARGET_UTILIZATION_MIN, 0.5]),
    maxStage: random.pick([0, 1, 5, STAGE_LIMIT]),
    fastReact: flag(0.7),
    multiRate: flag(0.4),
    sampleFeedback: flag(0.4),
    ewma,
    ewmaBeta: ewma === 'adaptive' ? 0 : random.pick([1, 2 ** -60, 0.1, random.next() * 0.9 + 0.01]),
    records,
    intMultiplier: records === 'exact' ? 1 : random.pick([1, 4, 256]),
    pathChange: random.pick(['reset', 'ignore']),
    repeatedTimestamp: random.pick(['skip-hop', 'one-nanosecond']),
    sequence: random.pick(['u32', 'psn24']),
    sendGap: random.pick(['picoseconds', 'ns3-nanoseconds']),
  });
}

/** ACKs with the telemetry of one path, whose hop counters advance; occasionally it is invalid. */
export class HpccStream extends Stream {
  readonly #parameters: HpccParameters;
  readonly #load: number;
  readonly #quiet: number;
  readonly #hopIds: boolean;
  #pathId = 0;
  #hops: HopSample[] = [];

  constructor(random: Seeded, parameters: HpccParameters) {
    super(random);
    this.#parameters = parameters;
    this.#load = random.pick([0, 0.3, 0.95, 1, 1.5, 100]);
    this.#quiet = random.pick([0, 0.3, 0.9]);
    this.#hopIds = random.chance(0.5);
    this.#newPath();
  }

  override nextAck(): Ack {
    const ack = super.nextAck();
    const telemetry = this.#nextTelemetry(ack.timePs);
    return telemetry === undefined ? ack : { ...ack, telemetry };
  }

  #newPath(): void {
    const { random } = this;
    const most = hopLimit(this.#parameters);
    const count = random.pick([1, 1, 3, 5, most, most, random.whole(0, most), random.whole(most, most + 2)]);
    this.#pathId = random.pick([0, 0, 1, 2 ** 32 - 1]);
    this.#hops = Array.from({ length: count }, (_, i) => ({
      timePs: 0,
      txBytes: random.pick([0, Math.floor(random.scaled(1, 2 ** 40))]),
      qlenBytes: 0,
      lineRateBps: random.pick(INT64_LINE_RATES_BPS),
      ...(this.#hopIds ? { hopId: random.pick([i, i, 2 ** 32 - 1]) } : {}),
    }));
  }

  #nextTelemetry(timePs: number): Telemetry | undefined {
    const { random } = this;
    if (random.chance(0.02)) this.#newPath();
    this.#hops = this.#hops.map((hop) => this.#moved(hop, Math.max(timePs, 0)));
    if (random.chance(0.02)) return undefined;
    const otherKind = random.chance(0.02);
    return (this.#parameters.records === 'exact') === otherKind ? this.#int64() : this.#exact();
  }

  #moved(hop: HopSample, timePs: number): HopSample {
    const { random } = this;
    const elapsedPs = Math.max(0, timePs - hop.timePs);
    const sent = (elapsedPs * hop.lineRateBps * this.#load * random.next()) / 8e12;
    const txBytes = Math.min(hop.txBytes + Math.floor(sent), 2 ** 53);
    const qlenBytes = random.chance(this.#quiet) ? 0 : Math.floor(random.pick([random.scaled(1, 1e7), 80, 2 ** 40]));
    return { ...hop, timePs: random.chance(0.05) ? hop.timePs : timePs, txBytes, qlenBytes };
  }

  #exact(): Telemetry {
    const { random } = this;
    const hops = this.#hops.map((hop) => (random.chance(0.03) ? { ...hop, ...this.#oddExact() } : hop));
    return { kind: 'exact', hops, ...(this.#pathId === 0 ? {} : { pathId: this.#pathId }) };
  }

  #oddExact(): Partial<HopSample> {
    const { random } = this;
    return random.pick<Partial<HopSample>>([
      { timePs: random.whole(0, 1e9) },
      { timePs: 2 ** 53 },
      { txBytes: 0 },
      { txBytes: 2 ** 53 },
      { qlenBytes: 0 },
      { qlenBytes: 2 ** 53 },
      { lineRateBps: random.pick([0, -1, 1, 2 ** 53]) },
      { hopId: random.u32() },
      { timePs: random.next() * 1e6, txBytes: random.next() },
    ]);
  }

  /** As in the simulator's packet: hop n is in slot n mod 5, and all five slots are present. */
  #int64(): Telemetry {
    const slots: RawHop[] = Array.from({ length: 5 }, () => ({ lineRateCode: 0, time: 0, bytes: 0, qlen: 0 }));
    this.#hops.forEach((hop, i) => {
      slots[i % 5] = this.#raw(hop);
    });
    const odd = this.random.chance(0.01);
    return { kind: 'int64', hopCount: odd ? this.random.whole(0, 255) : this.#hops.length, hops: slots };
  }

  #raw(hop: HopSample): RawHop {
    const { random } = this;
    const raw = quantizeHop(hop, this.#parameters.intMultiplier);
    if (random.chance(0.97)) return raw;
    const field = random.pick(['time', 'bytes', 'qlen'] as const);
    const span = RAW_SPANS[field];
    return { ...raw, [field]: random.pick([0, 1, span - 1, span / 2]), lineRateCode: random.whole(0, 7) };
  }
}

/** Data of a run so far. Samples are stored in arrays that grow by doubling. */
import { COUNTERS, type Outcome, type PauseColumns, type RunProgress, type SampleChunk,
  type ScenarioFacts } from '../protocol/run-protocol.js';

const FIRST_ROWS = 256;
const BUSY_MAX = 255;
/** One byte per picosecond in bits per second. */
const BITS_TIMES_PS = 8e12;
/** Number of averaging windows in a run. */
const WINDOWS = 150;

type Column = Float32Array | Float64Array | Uint8Array;

export class RunData {
  readonly facts: ScenarioFacts;
  outcome: Outcome | undefined;
  progress: RunProgress = { nowPs: 0, flowsDone: 0, flowsTotal: 0, share: 0, events: 0 };
  #reportedPs: number | undefined;
  #count = 0;
  #timesPs: Float64Array = new Float64Array(FIRST_ROWS);
  #timesSoFar: Float64Array = this.#timesPs.subarray(0, 0);
  #queueBytes: Float32Array;
  #busy: Uint8Array;
  #rateBps: Float32Array;
  #deliveredBytes: Float64Array;
  #fairness: Float32Array = new Float32Array(FIRST_ROWS);
  #counters: Float64Array = new Float64Array(FIRST_ROWS * COUNTERS.length);
  /** Columns computed since the last samples arrived, as charts do not redraw the same array. */
  readonly #columns = new Map<string, Float64Array>();
  /** Longest queue of each port so far, bytes. */
  readonly peaks: Float32Array;

  constructor(facts: ScenarioFacts) {
    this.facts = facts;
    const ports = facts.ports.length;
    this.#queueBytes = new Float32Array(FIRST_ROWS * ports);
    this.#busy = new Uint8Array(FIRST_ROWS * ports);
    this.#rateBps = new Float32Array(FIRST_ROWS * facts.ratedFlows);
    this.#deliveredBytes = new Float64Array(FIRST_ROWS * facts.ratedFlows);
    this.peaks = new Float32Array(ports);
  }

  get count(): number {
    return this.#count;
  }

  /** Time of the last sample, picoseconds. */
  get lastPs(): number {
    return this.#count === 0 ? 0 : this.#timesPs[this.#count - 1] ?? 0;
  }

  /**
   * Times of all samples. The same array until more samples arrive, since lines with the same times are drawn together.
   */
  get timesPs(): Float64Array {
    return this.#timesSoFar;
  }

  /**
   * Jain's index of the allowed rates of running flows; NaN while no flow delivers anything, as fairness of unused
   * rates is meaningless.
   */
  get fairness(): Float64Array {
    return this.#kept('fairness', () => {
      const goodput = this.goodput;
      return Float64Array.from(this.#fairness.subarray(0, this.#count),
        (index, row) => ((goodput[row] ?? 0) > 0 ? index : NaN));
    });
  }

  /** Goodput of all flows over time, bits per second. */
  get goodput(): Float64Array {
    return this.#kept('goodput', () => slopeOf(this.#timesPs, this.counter('bytesDelivered'), this.windowPs));
  }

  /** Goodput of a sampled flow over time, bits per second; NaN while it does not run. */
  goodputOf(flow: number): Float64Array {
    return this.#kept(`goodput ${flow}`, () => {
      const flows = this.facts.ratedFlows;
      const goodput = slopeOf(this.#timesPs, this.#columnOf(this.#deliveredBytes, flow, flows), this.windowPs);
      for (let row = 0; row < goodput.length; row++) {
        const isRunning = (this.#rateBps[row * flows + flow] ?? 0) > 0;
        if (!isRunning && goodput[row] === 0) goodput[row] = NaN;
      }
      return goodput;
    });
  }

  /** Rate at which a port sends over time, headers included, bits per second. */
  sendingRateOf(port: number): Float64Array {
    return this.#kept(`sent ${port}`, () => {
      const rateBps = this.facts.ports[port]?.rateBps ?? 0;
      const busy = this.#columnOf(this.#busy, port, this.facts.ports.length);
      for (let row = 1; row < busy.length; row++) {
        const share = ((busy[row] ?? 0) / BUSY_MAX) * ((this.#timesPs[row] ?? 0) - (this.#timesPs[row - 1] ?? 0));
        busy[row] = (busy[row - 1] ?? 0) + (share * rateBps) / BITS_TIMES_PS;
      }
      return slopeOf(this.#timesPs, busy, this.windowPs);
    });
  }

  /** Window over which goodput and sending rates are averaged, picoseconds: a few packets per sample give no rate. */
  get windowPs(): number {
    return (this.lastPs - this.facts.startPs) / WINDOWS;
  }

  /** Share of the samples with running flows in which some flow delivered data; 1 if none runs. */
  get movingShare(): number {
    let [running, moving] = [0, 0];
    const { goodput, meanRate } = this;
    for (let row = 0; row < this.#count; row++) {
      if (Number.isNaN(meanRate[row] ?? NaN)) continue;
      running++;
      if ((goodput[row] ?? 0) > 0) moving++;
    }
    return running === 0 ? 1 : moving / running;
  }

  add(chunk: SampleChunk): void {
    const [first, ports, flows] = [this.#count, this.facts.ports.length, this.facts.ratedFlows];
    const rows = first + chunk.count;
    this.#timesPs = put(this.#timesPs, chunk.timesPs, first, rows, 1);
    this.#queueBytes = put(this.#queueBytes, chunk.queueBytes, first, rows, ports);
    this.#busy = put(this.#busy, chunk.busy, first, rows, ports);
    this.#rateBps = put(this.#rateBps, chunk.rateBps, first, rows, flows);
    this.#deliveredBytes = put(this.#deliveredBytes, chunk.deliveredBytes, first, rows, flows);
    this.#fairness = put(this.#fairness, chunk.fairness, first, rows, 1);
    this.#counters = put(this.#counters, chunk.counters, first, rows, COUNTERS.length);
    this.#count = rows;
    this.#columns.clear();
    this.#timesSoFar = this.#timesPs.subarray(0, rows);
    const { queueBytes } = chunk;
    for (let at = 0; at < queueBytes.length; at++) {
      const port = at % ports;
      if ((queueBytes[at] ?? 0) > (this.peaks[port] ?? 0)) this.peaks[port] = queueBytes[at] ?? 0;
    }
  }

  /** Longest queue of a port: by samples during the run, then the run's own maximum. */
  peakOf(port: number): number {
    return this.outcome?.ports.maxQueueBytes[port] ?? this.peaks[port] ?? 0;
  }

  /** The switch port with the longest queue; 0 if there is none. */
  get peakPort(): number {
    let best = -1;
    this.facts.ports.forEach(({ node }, port) => {
      if (this.facts.nodes[node]?.kind !== 'switch') return;
      if (best < 0 || this.peakOf(port) > this.peakOf(best)) best = port;
    });
    return Math.max(0, best);
  }

  queueOf(port: number): Float64Array {
    return this.#kept(`queue ${port}`, () => this.#columnOf(this.#queueBytes, port, this.facts.ports.length));
  }

  /** Allowed rate of a flow over time; NaN while it does not run. */
  rateOf(flow: number): Float64Array {
    return this.#kept(`rate ${flow}`, () => {
      const rates = this.#columnOf(this.#rateBps, flow, this.facts.ratedFlows);
      for (let row = 0; row < rates.length; row++) if (rates[row] === 0) rates[row] = NaN;
      return rates;
    });
  }

  /** Mean allowed rate of the sampled flows that run; NaN while none does. */
  get meanRate(): Float64Array {
    return this.#kept('mean rate', () => {
      const [mean, flows] = [new Float64Array(this.#count), this.facts.ratedFlows];
      for (let row = 0; row < mean.length; row++) {
        let [sum, running] = [0, 0];
        for (let at = row * flows; at < (row + 1) * flows; at++) {
          const rate = this.#rateBps[at] ?? 0;
          sum += rate;
          if (rate !== 0) running++;
        }
        mean[row] = running === 0 ? NaN : sum / running;
      }
      return mean;
    });
  }

  /** The flow whose rate at an instant is nearest to `rateBps`; -1 if none runs then. */
  flowAt(timePs: number, rateBps: number): number {
    const first = this.sampleAt(timePs) * this.facts.ratedFlows;
    let [best, nearest] = [-1, Infinity];
    for (let flow = 0; flow < this.facts.ratedFlows; flow++) {
      const rate = this.#rateBps[first + flow] ?? 0;
      const distance = Math.abs(rate - rateBps);
      if (rate > 0 && distance < nearest) [best, nearest] = [flow, distance];
    }
    return best;
  }

  counter(name: (typeof COUNTERS)[number]): Float64Array {
    return this.#kept(name, () => this.#columnOf(this.#counters, COUNTERS.indexOf(name), COUNTERS.length));
  }

  queueAt(sample: number, port: number): number {
    return this.#queueBytes[sample * this.facts.ports.length + port] ?? 0;
  }

  /** Share of the time before the sample in which the port was sending. */
  busyAt(sample: number, port: number): number {
    return (this.#busy[sample * this.facts.ports.length + port] ?? 0) / BUSY_MAX;
  }

  /** The last sample at or before a time. */
  sampleAt(timePs: number): number {
    let [low, high] = [0, this.#count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#timesPs[middle] ?? 0) <= timePs) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** Ports that are paused at a time; known once the run is over. */
  pausedAt(timePs: number): Set<number> {
    const paused = new Set<number>();
    const pauses = this.outcome?.pauses;
    if (pauses === undefined) return paused;
    for (let at = 0; at < pauses.port.length && (pauses.fromPs[at] ?? 0) <= timePs; at++) {
      if ((pauses.toPs[at] ?? 0) > timePs) paused.add(pauses.port[at] ?? 0);
    }
    return paused;
  }

  /** Time of the longest queue of a port, by its samples. */
  peakTimePs(port: number): number {
    let best = 0;
    for (let sample = 1; sample < this.#count; sample++) {
      if (this.queueAt(sample, port) > this.queueAt(best, port)) best = sample;
    }
    return this.#timesPs[best] ?? 0;
  }

  /** The instant drawn unless the user chooses one: the last one during a run, then that of the longest queue. */
  get reportedPs(): number {
    if (this.outcome === undefined) return this.lastPs;
    this.#reportedPs ??= this.peakTimePs(this.peakPort);
    return this.#reportedPs;
  }

  firstPausePs(port: number): number | undefined {
    const pauses: PauseColumns | undefined = this.outcome?.pauses;
    const at = pauses?.port.indexOf(port) ?? -1;
    return at < 0 ? undefined : pauses?.fromPs[at];
  }

  #kept(name: string, make: () => Float64Array): Float64Array {
    const known = this.#columns.get(name) ?? make();
    this.#columns.set(name, known);
    return known;
  }

  #columnOf(matrix: Column, column: number, width: number): Float64Array {
    const values = new Float64Array(this.#count);
    for (let row = 0; row < this.#count; row++) values[row] = matrix[row * width + column] ?? 0;
    return values;
  }
}

/** Rate at each time in bits per second, from a counter of bytes: mean over the preceding window. */
function slopeOf(timesPs: Float64Array, bytes: Float64Array, windowPs: number): Float64Array {
  const slope = new Float64Array(bytes.length);
  let from = 0;
  for (let row = 1; row < bytes.length; row++) {
    const timePs = timesPs[row] ?? 0;
    while (from < row - 1 && (timesPs[from + 1] ?? 0) <= timePs - windowPs) from++;
    const sincePs = timePs - (timesPs[from] ?? 0);
    slope[row] = sincePs > 0 ? (((bytes[row] ?? 0) - (bytes[from] ?? 0)) * BITS_TIMES_PS) / sincePs : 0;
  }
  return slope;
}

function put<Values extends Column>(target: Values, source: Values, firstRow: number, rows: number,
  width: number): Values {
  let held = target;
  if (rows * width > held.length) {
    const Kind = held.constructor as new(length: number) => Values;
    const wider = new Kind(Math.max(2 * held.length, rows * width));
    wider.set(held);
    held = wider;
  }
  held.set(source, firstRow * width);
  return held;
}

/**
 * Replays frames through the raw path of an engine, and reports what happened.
 *
 *   batches -> frame clock -> engine (runs of frames) -> tally per class, QP and stream, rates over time -> report
 *
 * Memory is constant: one batch, counters per QP and stream, a rate line of fixed length per QP whose rate changed.
 */
import { checkRecord, reject } from '../config/field-rules.js';
import { CLASS_NAMES, OUTCOME_NAMES, type ClassName, type OutcomeName } from '../abi/names.js';
import { linkTypeName, type CaptureBatch } from '../capture/index.js';
import type { AlgorithmParameters } from '../config/algorithms/registry.js';
import type { EngineOptions } from '../config/engine-config.js';
import { createEngine } from '../engine/create.js';
import type { Engine } from '../engine/engine.js';
import type { RateChange, LostChanges } from '../engine/rate-changes.js';
import type { Stats } from '../engine/stats.js';
import { RoceError } from '../errors.js';
import { isDissected, type MrcOptions } from '../packet/index.js';
import { EngineFeed, type Stopwatch, addStats } from './engine-feed.js';
import type { Flow } from './flows.js';
import { batchesOf, type ReplayFrames, epochsMax, FrameClock, LEAD_PS } from './captured-frames.js';
import { addressesOf, openFlows, qpCountOf, type OpenQp } from './open-flows.js';
import { QpRates } from './rate-history.js';
import { REPLAY_SCHEMA, type CaptureSummary, type ClassSummary, type FlowSummary, type ReplayReport, type Timing,
  type Totals } from './report.js';
import { FrameTally } from './tally.js';

/** Trace records per call of the engine, 12 MiB: an advance stops before they run out, a batch of frames may not. */
const TRACE_RECORDS = 2 ** 17;

/** An explained rate change of a listed flow. Its time counts from the first frame; `qp` is the engine's number. */
export type FlowRateChange = RateChange & {
  /** Name of the flow in the list. */
  readonly flow: string;
};

/** Options of a replay. */
export interface ReplayOptions {
  /** Parameters of the reaction point of every QP. */
  readonly parameters: AlgorithmParameters;
  /** The connections, see `parseFlows`. Default none: frames are classified and counted, but match no QP. */
  readonly flows?: readonly Flow[] | undefined;
  /** Engine options; the replay sets parameter sets and capacity. Late events: default `clamp`. */
  readonly engine?: Omit<EngineOptions, 'parameterSets' | 'capacity' | 'trace'>;
  /** How packets of MRC are read; `false` treats them as reserved opcodes of RoCEv2. */
  readonly mrc?: MrcOptions | false | undefined;
  /** Stop after this many frames. */
  readonly limitFrames?: number | undefined;
  /** Called with each rate change, and with the number of changes that did not fit, if any. */
  readonly onRateChange?: ((change: FlowRateChange | LostChanges) => void) | undefined;
  /**
   * Called and awaited after each batch, with the number of frames so far. `report` builds the report up to this point,
   * for long replays; its cost grows with the number of lines in the report.
   */
  readonly onProgress?: ((frames: number, report: () => ReplayReport) => void | Promise<void>) | undefined;
  /** Returns milliseconds from an arbitrary origin, for the report's times. Default `performance.now`. */
  readonly nowMs?: Stopwatch;
}

/**
 * Replays frames. If a damaged capture or another error stops it early, the report has the error as `error`, with all
 * results up to that point.
 *
 * @throws RoceError for bad flows and options, before any frame is read.
 * @example
 * const flows = parseFlows(await readFile('flows.csv', 'utf8'), 'flows.csv');
 * const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
 * const report = await replay(readCaptureBatches(await readFile('trace.pcap')), { parameters, flows });
 * for (const { flow, lowestRateBps } of report.flows) console.log(flow, lowestRateBps);
 */
export async function replay(frames: ReplayFrames, options: ReplayOptions): Promise<ReplayReport> {
  checkRecord(options, 'options');
  const beginMs = stopwatchOf(options)();
  const { flows = [], onRateChange, parameters, engine } = options;
  checkFlows(flows);
  const endpoints = Math.max(1, addressesOf(flows).length);
  const run = new Replay(await createEngine({
    // Captures of several queues are slightly out of order; moving a late CNP up is better than losing it.
    lateEvents: 'clamp',
    ...engine,
    trace: onRateChange !== undefined && { records: TRACE_RECORDS },
    parameterSets: { replay: parameters },
    capacity: { qps: Math.max(1, qpCountOf(flows)), endpoints, addresses: endpoints },
  }), options, beginMs);
  return run.report(await run.readAll(frames));
}

function stopwatchOf({ nowMs = () => performance.now() }: ReplayOptions): Stopwatch {
  if (typeof nowMs !== 'function') reject({ got: nowMs, allowed: 'a clock', where: 'options.nowMs' });
  return nowMs;
}

function checkFlows(flows: readonly Flow[]): void {
  if (!Array.isArray(flows)) reject({ got: flows, allowed: 'a list of flows', where: 'options.flows' });
  for (const [index, flow] of flows.entries()) checkRecord(flow, `options.flows[${index}]`);
}

class Replay {
  readonly #options: ReplayOptions;
  readonly #nowMs: Stopwatch;
  readonly #engine: Engine;
  readonly #open: readonly OpenQp[];
  readonly #tally: FrameTally;
  readonly #rates: QpRates;
  readonly #feed: EngineFeed;
  readonly #clock: FrameClock;
  /** Engine state at the start of each epoch. */
  readonly #initial: Uint8Array;
  readonly #linkFrames = new Map<number, number>();
  readonly #beginMs: number;
  /** Counters of the earlier epochs. */
  #counted: Stats | undefined;
  #epochStartPs = 0;
  #frames = 0;
  #bytes = 0;
  #capturedBytes = 0;
  #limited = false;

  constructor(engine: Engine, options: ReplayOptions, beginMs: number) {
    this.#options = options;
    this.#engine = engine;
    this.#nowMs = stopwatchOf(options);
    this.#beginMs = beginMs;
    this.#open = openFlows(engine, options.flows ?? []);
    this.#tally = new FrameTally(this.#open, engine.config.parser.icrc === 'check', options.mrc);
    this.#rates = new QpRates(this.#open.length, options.parameters.maxRateBps);
    this.#feed = new EngineFeed(engine, this.#tally, this.#rates, this.#nowMs, () => {
      this.#explain();
    });
    this.#initial = engine.snapshot();
    this.#clock = new FrameClock((startPs) => {
      this.#beginEpoch(startPs);
    }, epochsMax(this.#open.length));
  }

  /** Returns the error that stopped the reading early, if any. */
  async readAll(frames: ReplayFrames): Promise<unknown> {
    const reportSoFar = (): ReplayReport => this.report(undefined);
    try {
      for await (const batch of batchesOf(frames)) {
        this.#addBatch(batch);
        await this.#options.onProgress?.(this.#frames, reportSoFar);
        if (this.#limited) break;
      }
      return this.#clockError();
    } catch (error) {
      return error;
    } finally {
      this.#feed.finish(this.#clock.latestPs);
    }
  }

  /** Starts a new epoch when a frame is beyond the engine's clock: a new engine, whose clock starts at `startPs`. */
  #beginEpoch(startPs: number): void {
    const { latestPs } = this.#clock;
    this.#feed.finish(latestPs);
    this.#counted = addStats(this.#counted, this.#engine.stats());
    this.#engine.restore(this.#initial);
    this.#rates.beginEpoch(latestPs - LEAD_PS + this.#epochStartPs, startPs);
    this.#feed.beginEpoch(startPs);
    this.#epochStartPs = startPs;
  }

  /** Passes on the rate changes of the engine's last call. */
  #explain(): void {
    const { onRateChange } = this.#options;
    if (onRateChange === undefined) return;
    const { trace } = this.#engine;
    for (const change of trace) {
      onRateChange({
        ...change,
        timePs: change.timePs - LEAD_PS + this.#epochStartPs,
        flow: this.#open[change.qp]?.flow ?? '',
      });
    }
    if (trace.lost > 0) onRateChange({ lost: trace.lost });
  }

  #addBatch(batch: CaptureBatch): void {
    const { limitFrames = Infinity } = this.#options;
    this.#feed.beginBatch();
    for (let index = 0; index < batch.count; index++) {
      if (this.#frames === limitFrames) {
        this.#limited = true;
        break;
      }
      this.#addFrame(batch, index);
    }
    // The next batch overwrites this one's buffer.
    this.#feed.flush();
  }

  #addFrame(batch: CaptureBatch, index: number): void {
    const linkType = batch.linkTypes[index] ?? 0;
    const timePs = this.#clock.timePs(batch, index);
    this.#frames++;
    this.#bytes += Math.max(batch.originalBytes[index] ?? 0, batch.capturedBytes[index] ?? 0);
    this.#capturedBytes += batch.capturedBytes[index] ?? 0;
    this.#linkFrames.set(linkType, (this.#linkFrames.get(linkType) ?? 0) + 1);
    if (isDissected(linkType)) this.#feed.add(batch, index, timePs, this.#frames);
  }

  /** An error if frames were off the clock; without flows, time does not matter. */
  #clockError(): RoceError | undefined {
    const { offClockFrames } = this.#clock;
    if (offClockFrames === 0 || this.#open.length === 0) return undefined;
    return new RoceError('unsupported', {
      what: `number of frames outside of the first ${epochsMax(this.#open.length)} epochs of 2.5 h`,
      got: offClockFrames,
      allowed: 0,
      where: 'capture times',
      hint: 'The times of this capture jump back and forth: sort its frames, e.g. with reordercap',
    });
  }

  report(error: unknown): ReplayReport {
    const { backend, notificationPoint, fastCnp, parser, lateEvents } = this.#engine.config;
    const stats = addStats(this.#counted, this.#engine.stats());
    return {
      schema: REPLAY_SCHEMA,
      capture: this.#captureSummary(),
      config: { backend, notificationPoint, fastCnp, parser, lateEvents, parameters: this.#options.parameters },
      classes: this.#classes(),
      tunnels: this.#tally.tunnels.summary,
      others: this.#tally.others.summaries,
      othersElsewhere: this.#tally.others.elsewhere,
      mrc: this.#tally.mrc.summary,
      uet: this.#tally.others.uet.summary,
      notifications: {
        markedFrames: this.#open.length > 0 ? stats.np_ecn_marked_roce_packets : this.#tally.streams.markedFrames,
        cnpsDue: stats.np_cnp_sent,
        marksSuppressed: stats.np_cnp_suppressed,
        cnpsSeen: this.#tally.cnpsSeen,
        cnpsHandled: stats.outcomes['cnp-handled'],
      },
      fastCnps: {
        ...this.#tally.fastCnps,
        sources: this.#tally.sources,
        otherOptionTypes: this.#tally.otherOptionTypes.summaries,
      },
      flows: this.#open.filter((open) => open.listed || this.#wasNotified(open.qp)).map((open) =>
        this.#flowSummary(open)
      ),
      unresolved: this.#tally.unresolved,
      unresolvedElsewhere: this.#tally.unresolvedElsewhere,
      streams: this.#tally.streams.summaries,
      streamsElsewhere: this.#tally.streams.elsewhere,
      ...this.#tally.streams.connections,
      connectionMessages: { ...this.#tally.streams.cm.counts },
      findings: this.#tally.streams.findings,
      icrc: parser.icrc === 'check' ? this.#tally.icrc.summary : undefined,
      pauses: this.#tally.pauses.summaries,
      totals: this.#totals(stats),
      timing: this.#timing(),
      error,
    };
  }

  #captureSummary(): CaptureSummary {
    const { durationPs, start, untimedFrames, epochs, offClockFrames } = this.#clock;
    const linkTypes = [...this.#linkFrames].map(([linkType, frames]) => ({
      linkType,
      name: linkTypeName(linkType),
      frames,
      supported: isDissected(linkType),
    }));
    const sizes = { frames: this.#frames, bytes: this.#bytes, capturedBytes: this.#capturedBytes };
    return { ...sizes, linkTypes, durationPs, start, untimedFrames, epochs, offClockFrames, limited: this.#limited };
  }

  #classes(): Record<ClassName, ClassSummary> {
    const entries = Object.entries(CLASS_NAMES).map(([name, code]) => [name, this.#tally.classes[code]]);
    return Object.fromEntries(entries) as Record<ClassName, ClassSummary>;
  }

  #wasNotified(qp: number): boolean {
    const tally = this.#tally.qps[qp];
    return tally !== undefined && tally.cnpsSeen + tally.fastCnpsSeen > 0;
  }

  #flowSummary({ qp, peerQp, local, peer, flow, listed }: OpenQp): FlowSummary {
    const {
      dataFrames = 0,
      dataBytes = 0,
      markedFrames = 0,
      cnpsSeen = 0,
      cnpsHandled = 0,
      fastCnpsSeen = 0,
      fastCnpsAccepted = 0,
    } = this.#tally.qps[qp] ?? {};
    return {
      flow,
      sender: local,
      receiver: peer,
      reverse: !listed,
      dataFrames,
      dataBytes,
      markedFrames,
      cnpsDue: this.#rates.cnpsDue[peerQp] ?? 0,
      cnpsSeen,
      cnpsHandled,
      fastCnpsSeen,
      fastCnpsAccepted,
      lowestRateBps: this.#rates.lowestRatesBps[qp] ?? 0,
      rateBps: this.#engine.rateBps(qp),
      rateLine: this.#rates.history.lineOf(qp, this.#clock.endPs),
    };
  }

  #totals({ handled, ignored, rejected, outcomes, lateClamped }: Stats): Totals {
    const names = (Object.keys(OUTCOME_NAMES) as OutcomeName[]).filter((name) => outcomes[name] > 0);
    const unsupportedLink = [...this.#linkFrames].reduce(
      (sum, [linkType, frames]) => (isDissected(linkType) ? sum : sum + frames),
      0,
    );
    const counted = Object.fromEntries(names.map((name) => [name, outcomes[name]]));
    return { in: this.#frames, handled, ignored, rejected, unsupportedLink, outcomes: counted, lateClamped };
  }

  #timing(): Timing {
    const wallSeconds = (this.#nowMs() - this.#beginMs) / 1e3;
    const engineSeconds = this.#feed.engineMs / 1e3;
    const perSecond = (seconds: number): number => (seconds > 0 ? this.#frames / seconds : 0);
    return {
      wallSeconds,
      engineSeconds,
      framesPerSecond: perSecond(wallSeconds),
      engineFramesPerSecond: perSecond(engineSeconds),
    };
  }
}

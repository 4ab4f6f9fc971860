/**
 * Replays a capture through the raw path of an engine, and tells what happened.
 *
 *   capture batches -> frame clock -> engine (runs of frames) -> tally per class and QP, rates over time -> result
 *
 * Memory is constant: one batch, counters per QP, a rate line of fixed length per QP whose rate changed.
 */
import { CLASS_NAMES, OUTCOME_NAMES, type ClassName, type OutcomeName } from '../../abi/names.js';
import { readCaptureBatches, type CaptureBatch, type CaptureSource } from '../../capture/index.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { EngineOptions } from '../../config/engine-config.js';
import { createEngineSync } from '../../engine/create.js';
import type { Engine } from '../../engine/engine.js';
import { RoceError } from '../../errors.js';
import { TRACE_RECORDS, type TraceWriter } from './trace-writer.js';
import { EngineFeed, type Stopwatch } from './engine-feed.js';
import type { Flow } from './flows.js';
import { FrameClock, LEAD_PS } from './frame-clock.js';
import { isReadable, linkTypeName } from '../link-names.js';
import { addressesOf, openFlows, qpCountOf, type OpenQp } from './open-flows.js';
import { QpRates } from './qp-rates.js';
import { RESULT_SCHEMA, type CaptureSummary, type ClassSummary, type FlowSummary, type ReplayResult, type Timing,
  type Totals } from './result.js';
import { FrameTally } from './tally.js';

export interface ReplayOptions {
  readonly parameters: AlgorithmParameters;
  /** How the engine shall behave; parameter sets and capacity come from the replay. */
  readonly engine?: Omit<EngineOptions, 'parameterSets' | 'capacity' | 'trace'>;
  /** Stop after this many frames. */
  readonly limitFrames?: number | undefined;
  /** Takes each change of a rate, explained. */
  readonly trace?: TraceWriter | undefined;
  /** Called now and then with bytes of the source read so far (before decompression), and frames. */
  readonly onProgress?: ((sourceBytes: number, frames: number) => void) | undefined;
  /** Milliseconds from any origin. Default `performance.now`. */
  readonly nowMs?: Stopwatch;
}

/**
 * Replays `source`. A capture that is damaged in the middle gives the result up to there, with `error` set.
 *
 * @param flows the connections; none = frames are only classified.
 * @throws RoceError for bad flows and options, before anything is read.
 */
export async function replayCapture(source: CaptureSource, flows: readonly Flow[],
  options: ReplayOptions): Promise<ReplayResult> {
  const run = new ReplayRun(flows, options);
  const error = await run.readAll(source);
  return run.result(error);
}

class ReplayRun {
  readonly #options: ReplayOptions;
  readonly #nowMs: Stopwatch;
  readonly #engine: Engine;
  readonly #open: readonly OpenQp[];
  readonly #tally: FrameTally;
  readonly #rates: QpRates;
  readonly #feed: EngineFeed;
  readonly #clock = new FrameClock();
  readonly #linkFrames = new Map<number, number>();
  readonly #beginMs: number;
  #frames = 0;
  #bytes = 0;
  #capturedBytes = 0;
  #limited = false;

  constructor(flows: readonly Flow[], options: ReplayOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#beginMs = this.#nowMs();
    const endpoints = Math.max(1, addressesOf(flows).length);
    this.#engine = createEngineSync({
      // Captures of several queues are not quite in order; a late CNP is better moved up than lost.
      lateEvents: 'clamp',
      ...options.engine,
      trace: options.trace !== undefined && { records: TRACE_RECORDS },
      parameterSets: { replay: options.parameters },
      capacity: { qps: Math.max(1, qpCountOf(flows)), endpoints, addresses: endpoints },
    });
    this.#open = openFlows(this.#engine, flows);
    this.#tally = new FrameTally(this.#open);
    this.#rates = new QpRates(this.#open.length, options.parameters.maxRateBps);
    const { trace } = options;
    this.#feed = new EngineFeed(this.#engine, this.#tally, this.#rates, this.#nowMs,
      () => trace?.take(this.#engine.trace, this.#open));
  }

  /** Returns what stopped the reading early, if anything did. */
  async readAll(source: CaptureSource): Promise<unknown> {
    const { onProgress } = this.#options;
    const report = onProgress && ((sourceBytes: number): void => {
      onProgress(sourceBytes, this.#frames);
    });
    try {
      for await (const batch of readCaptureBatches(source, { onProgress: report })) {
        this.#takeBatch(batch);
        await this.#options.trace?.flush();
        if (this.#limited) break;
      }
      return this.#clockError();
    } catch (error) {
      return error;
    } finally {
      this.#feed.finish(this.#clock.latestPs);
    }
  }

  #takeBatch(batch: CaptureBatch): void {
    const { limitFrames = Infinity } = this.#options;
    this.#feed.beginBatch();
    for (let index = 0; index < batch.count; index++) {
      if (this.#frames === limitFrames) {
        this.#limited = true;
        break;
      }
      this.#takeFrame(batch, index);
    }
    // The batch's buffer changes with the next one.
    this.#feed.flush();
  }

  #takeFrame(batch: CaptureBatch, index: number): void {
    const linkType = batch.linkTypes[index] ?? 0;
    const timePs = this.#clock.timePs(batch, index);
    this.#frames++;
    this.#bytes += batch.originalBytes[index] ?? 0;
    this.#capturedBytes += batch.capturedBytes[index] ?? 0;
    this.#linkFrames.set(linkType, (this.#linkFrames.get(linkType) ?? 0) + 1);
    if (isReadable(linkType)) this.#feed.add(batch, index, timePs);
  }

  /** Without flows nothing depends on time. */
  #clockError(): RoceError | undefined {
    const { offClockFrames } = this.#clock;
    if (offClockFrames === 0 || this.#open.length === 0) return undefined;
    return new RoceError('unsupported', 'frames too far from the first one in time', {
      got: `${offClockFrames} frames`,
      allowed: '1 s before to 2.5 h after the first; cut longer captures, such as with editcap -i 9000',
      where: 'capture times',
    });
  }

  result(error: unknown): ReplayResult {
    const { backend, notificationPoint, fastCnp, parser, lateEvents } = this.#engine.config;
    const stats = this.#engine.stats();
    return {
      schema: RESULT_SCHEMA,
      capture: this.#captureSummary(),
      config: { backend, notificationPoint, fastCnp, parser, lateEvents, parameters: this.#options.parameters },
      classes: this.#classes(),
      notifications: {
        markedFrames: stats.np_ecn_marked_roce_packets,
        cnpsDue: stats.np_cnp_sent,
        marksSuppressed: stats.np_cnp_suppressed,
        cnpsSeen: this.#tally.cnpsSeen,
        cnpsHandled: stats.outcomes.cnpHandled,
      },
      fastCnps: { ...this.#tally.fastCnps, sources: this.#tally.sources },
      flows: this.#open.filter((open) => open.listed || this.#wasNotified(open.qp)).map((open) =>
        this.#flowSummary(open)
      ),
      unresolved: this.#tally.unresolved,
      unresolvedElsewhere: this.#tally.unresolvedElsewhere,
      totals: this.#totals(),
      timing: this.#timing(),
      error,
    };
  }

  #captureSummary(): CaptureSummary {
    const { durationPs, start, untimedFrames, offClockFrames } = this.#clock;
    const linkTypes = [...this.#linkFrames].map(([linkType, frames]) => ({
      linkType,
      name: linkTypeName(linkType),
      frames,
      supported: isReadable(linkType),
    }));
    const sizes = { frames: this.#frames, bytes: this.#bytes, capturedBytes: this.#capturedBytes };
    return { ...sizes, linkTypes, durationPs, start, untimedFrames, offClockFrames, limited: this.#limited };
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
      rateLine: this.#rates.history.lineOf(qp, this.#clock.latestPs - LEAD_PS),
    };
  }

  #totals(): Totals {
    const { handled, ignored, refused, outcomes, lateClamped } = this.#engine.stats();
    const names = (Object.keys(OUTCOME_NAMES) as OutcomeName[]).filter((name) => outcomes[name] > 0);
    const unsupportedLink = [...this.#linkFrames].reduce(
      (sum, [linkType, frames]) => (isReadable(linkType) ? sum : sum + frames),
      0,
    );
    const counted = Object.fromEntries(names.map((name) => [name, outcomes[name]]));
    return { in: this.#frames, handled, ignored, refused, unsupportedLink, outcomes: counted, lateClamped };
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

/** An emulated switch's reaction to a frame that met congestion: nothing, a mark, or a Fast CNP to its sender. */
import { CLASS_COUNT } from '../../switching/queue-scheduler.js';
import { CongestionJudge, type Verdict } from '../../switching/congestion-judge.js';
import type { CongestionPointRandom } from '../../reference/cp/random.js';
import type { EgressQueues } from './egress-queues.js';
import { KIND_DATA } from './frame-facts.js';
import type { FramePool } from './frame-pool.js';
import { fastCnpFrame } from './made-frames.js';
import type { HopRecorder } from './hop-recorder.js';
import type { SwitchSettings } from './settings.js';

const ECT_MASK = 3;

export class Congestion {
  readonly #settings: SwitchSettings;
  readonly #pool: FramePool;
  readonly #queues: EgressQueues;
  readonly #judge: CongestionJudge;
  readonly #random: CongestionPointRandom;

  /** @param random the network's generator, used for all decisions except for data at switches that send Fast CNPs. */
  constructor(settings: SwitchSettings, pool: FramePool, queues: EgressQueues, random: CongestionPointRandom) {
    const { fastCnp, seed, node } = settings;
    this.#settings = settings;
    this.#pool = pool;
    this.#queues = queues;
    this.#random = random;
    this.#judge = new CongestionJudge(fastCnp, seed, node);
  }

  /** Decides by the length of the queue of the frame's class at a port. */
  verdict(port: number, slot: number, timePs: number): Verdict {
    const settings = this.#settings;
    const pool = this.#pool;
    const thresholds = settings.ports[port];
    if (!thresholds.ecn) return 'nothing';
    const isAnswered = settings.sendsFastCnps && pool.kind[slot] === KIND_DATA;
    if (!isAnswered && !this.isMarkable(slot)) return 'nothing';
    const queueBytes = this.#queues.bytes[port * CLASS_COUNT + pool.trafficClass[slot]];
    if (!isAnswered) return this.#judge.judgePlain(this.#random, thresholds, queueBytes);
    const asked = { port, flow: pool.flow[slot], takesFastCnps: pool.takesFastCnps[slot] === 1 };
    return this.#judge.judgeData(timePs, thresholds, queueBytes, asked);
  }

  isMarkable(slot: number): boolean {
    const isEct = (this.#pool.ecn[slot] & ECT_MASK) !== 0;
    return isEct && (this.#settings.markable === 'all' || this.#pool.kind[slot] === KIND_DATA);
  }

  /** Makes the Fast CNP for a frame; undefined if none is possible. */
  responseTo(port: number, slot: number, timePs: number, hops: HopRecorder): Uint8Array | undefined {
    const settings = this.#settings;
    const pool = this.#pool;
    const at = pool.offsetOf(slot);
    const arrival = pool.arrival[slot];
    return fastCnpFrame(pool.bytes.subarray(at, at + pool.lenBytes[slot]), {
      ...hops.hopOf(port, slot, timePs),
      switchAddress: settings.address,
      mac: settings.ports[arrival].mac,
      option: settings.fastCnp.option,
      icrcPolicy: settings.icrcPolicy,
    });
  }
}

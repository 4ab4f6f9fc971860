/**
 * NSCC matches the traces of the Ultra Ethernet Consortium's simulator on both backends: window, average delay, bytes
 * in flight and increase after each ACK, and the same without the increase after each NACK.
 *
 * In the trace of an ACK that measured no round trip, the delay equals the average. A NACK refers to the latest copy
 * of a packet, as in that simulator.
 */
import { describe, expect, it } from 'vitest';
import { createEngineSync, gbps, nsccUet, type Engine } from '../../src/index.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';
import { uetGoldenRun } from '../support/golden-uet.js';

/** Runs of the reference, with their numbers of ACKs and NACKs. */
const RUNS = [
  ['single_odd_nscc', 86, 0],
  ['incast2_nscc', 186, 2],
  ['ls2x4x4_perm_mixed', 313, 0],
  ['messages_one_pair', 23, 0],
  ['incast8_nscc_q12', 570, 163],
  ['tree3_16_tiny_trace', 20, 7],
] as const;
const PACKET_BYTES = 4160;
const PS_PER_BYTE = 80;

describe.each(BACKENDS)('NSCC matches the traces of the reference (%s)', (_, backend) => {
  it.each(RUNS)('%s: %i ACKs, %i NACKs', (run, acks, nacks) => {
    const lines = uetGoldenRun(run).read('trace.csv').trim().split('\n').map((line) => line.split(','));
    expect(new Follower(backend, baseRttPs(run)).follow(lines)).toEqual({ acks, nacks, different: [] });
  });
});

/** The longest path without queues, at 100 Gb/s: two tiers of 1 µs links, or three of 0.5, 0.7 and 0.9 µs. */
function baseRttPs(run: string): number {
  const [hops, latencyPs] = run.startsWith('tree3') ? [6, 4_200_000] : [4, 4_000_000];
  return 2 * latencyPs + hops * (PACKET_BYTES + 64) * PS_PER_BYTE;
}

interface Flow {
  readonly qp: number;
  /** The latest copy of each packet, by packet number. */
  readonly sent: Map<string, { readonly timePs: number; readonly lenBytes: number }>;
}

class Follower {
  readonly #engine: Engine;
  readonly #flows = new Map<string, Flow>();
  readonly #outcome = { acks: 0, nacks: 0, different: [] as string[] };

  constructor(backend: BackendOption, baseRttPs: number) {
    const network = { lineRateBps: gbps(100), baseRttPs, targetDelayPs: Math.trunc(0.75 * baseRttPs) };
    this.#engine = createEngineSync({ backend, parameterSets: { default: nsccUet(network) }, capacity: { qps: 64 } });
  }

  follow(lines: readonly (readonly string[])[]): { acks: number; nacks: number; different: string[] } {
    for (const [ps = '', event, flow = '', ...rest] of lines) {
      if (event === 'ST')
        this.#flows.set(flow, { qp: this.#engine.openQp({ localQpn: Number(flow) + 1 }), sent: new Map() });
      const state = this.#flows.get(flow);
      if (state === undefined) continue;
      if (event === 'TX') {
        this.#engine.sent(Number(ps), state.qp, Number(rest[1]));
        state.sent.set(rest[0]!, { timePs: Number(ps), lenBytes: Number(rest[1]) });
      }
      if (event === 'AK') this.#acknowledge(state, Number(ps), rest);
      if (event === 'NK') this.#reject(state, Number(ps), rest);
    }
    return this.#outcome;
  }

  #acknowledge({ qp, sent }: Flow, timePs: number, [, acked = '', , echo, ...rest]: readonly string[]): void {
    const [ackedBytes = 0, windowBytes = 0, inFlightBytes = 0, averageDelayPs = 0, increase = 0, delayPs = 0] = rest
      .map(Number);
    const sentTimePs = averageDelayPs > 0 && delayPs === averageDelayPs ? undefined : sent.get(acked)?.timePs;
    const ecnEcho = echo === '1';
    this.#engine.ack(timePs, qp, {
      ackSeq: 1,
      sndNxt: 2,
      ackedBytes,
      ecnEcho,
      ...(sentTimePs === undefined ? {} : { sentTimePs }),
    });
    this.#outcome.acks++;
    this.#compare(qp, timePs, { windowBytes, inFlightBytes, averageDelayPs, increase });
  }

  #reject({ qp, sent }: Flow, timePs: number, [number = '', lastHop, , ...rest]: readonly string[]): void {
    const [windowBytes = 0, inFlightBytes = 0, averageDelayPs = 0] = rest.map(Number);
    const { timePs: sentTimePs = 0, lenBytes: trimmedBytes = 0 } = sent.get(number) ?? {};
    this.#engine.nack(timePs, qp, { trimmedBytes, lastHop: lastHop === '1', sentTimePs });
    this.#outcome.nacks++;
    this.#compare(qp, timePs, { windowBytes, inFlightBytes, averageDelayPs });
  }

  #compare(qp: number, timePs: number, expected: Readonly<Record<string, number>>): void {
    const got = this.#engine.qp(qp).algorithmState() as unknown as Record<string, number>;
    const names = Object.keys(expected).filter((name) => got[name] !== expected[name]);
    if (names.length > 0)
      this.#outcome.different.push(
        `${timePs} QP ${qp}: ${names.map((name) => `${name} ${got[name]} instead of ${expected[name]}`).join()}`,
      );
  }
}

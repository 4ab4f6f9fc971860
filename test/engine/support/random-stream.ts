/** Random streams of all calls of an engine; each step is one integer, so that failures shrink well. */
import fc from 'fast-check';
import { TIME_MAX_PS } from '../../../src/abi/codes.js';
import type { DcqcnParameters, Engine } from '../../../src/index.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import type { Herd } from './herd.js';
import type { Setup } from './random-setup.js';

const PEERS = ['2001:db8::1', '2001:db8:0:1::2', '2001:db8:0:1::3', '192.0.2.9'].map((text) => parseIpAddress(text));
const STRANGER = parseIpAddress('2001:db9::1');
const BAD_TIMES = [NaN, -1, Infinity, -Infinity, 2 ** 53, -0];
const LOCAL_QPNS = 20;
const PEER_QPNS = 6;
const ENDPOINTS = 3;
const QPS = 12;
const UNKNOWN_QP = 5000;
const SECOND_PS = 1e12;

/** The kind, QP and time gap of a step, and additional data. */
interface Step {
  readonly kind: number;
  readonly qp: number;
  readonly gapKind: number;
  /** 0..1023 */
  readonly gap: number;
  /** 0..255 */
  readonly extra: number;
}

/** One in four steps of this kind and above ends the batch and makes a call; the others are events. */
const FIRST_MANAGING = 25;

function isManaging({ extra }: Step): boolean {
  return (extra & 3) === 0;
}

export const randomCodes = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(0x7fffffff), { minLength: length, maxLength: length, size: 'max' });

function decode(code: number): Step {
  const qp = (code >> 5) & 15;
  return {
    kind: code & 31,
    qp: qp === 15 ? UNKNOWN_QP : qp % QPS,
    gapKind: (code >> 9) & 15,
    gap: (code >> 13) & 1023,
    extra: (code >> 23) & 255,
  };
}

function lengthOf(extra: number): number {
  if (extra < 150) return 1000 + extra;
  if (extra < 200) return extra % 70;
  if (extra < 250) return extra * 1000;
  return extra < 255 ? 5_000_000 + extra : 2 ** 28 - 1;
}

/** Makes steps on all engines and compares them after each batch. */
export class Player {
  readonly #herd: Herd;
  readonly #parameterSets: readonly DcqcnParameters[];
  readonly #names: readonly string[];
  #nowPs: number;
  #lastQpsPeer = PEERS[0]!;

  constructor(herd: Herd, { options, startPs }: Setup) {
    this.#herd = herd;
    this.#parameterSets = Object.values(options.parameterSets) as readonly DcqcnParameters[];
    this.#names = Object.keys(options.parameterSets);
    this.#nowPs = startPs;
    for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) herd.step((engine) => engine.addEndpoint());
    for (let qp = 0; qp < QPS; qp++) this.#open({ kind: 0, qp, gapKind: 0, gap: qp * 37, extra: qp * 4 });
  }

  play(codes: readonly number[]): void {
    for (const code of codes) this.#take(decode(code));
    this.#apply();
    this.#advance(this.#nowPs);
  }

  /** Makes the steps, restores every engine, and repeats them. */
  playTwice(codes: readonly number[]): void {
    const nowPs = this.#nowPs;
    const peer = this.#lastQpsPeer;
    this.#herd.rewindAndRepeat(() => {
      this.#nowPs = nowPs;
      this.#lastQpsPeer = peer;
      this.play(codes);
    });
  }

  #take(step: Step): void {
    const { qp, gap, extra } = step;
    const kind = step.kind < FIRST_MANAGING || isManaging(step) ? step.kind : 0;
    if (kind < FIRST_MANAGING && this.#herd.first.events.isFull) this.#apply();
    const timePs = this.#timeOf(step);
    if (kind < 10) this.#add((engine) => engine.events.sent(timePs, qp, lengthOf(extra)));
    else if (kind < 15) this.#add((engine) => engine.events.cnp(timePs, qp));
    else if (kind < 19) this.#add((engine) => engine.events.marked(timePs, qp, gap));
    else if (kind < 21) this.#add((engine) => engine.events.touch(timePs, qp));
    else if (kind < FIRST_MANAGING) this.#addFastCnp(timePs, step);
    else {
      this.#apply();
      this.#manage(timePs, step);
    }
  }

  /** Makes the calls that are not events of a batch. */
  #manage(timePs: number, step: Step): void {
    const { kind, qp, extra } = step;
    if (kind === 25) this.#advance(timePs);
    else if (kind === 26) this.#open(step);
    else if (kind === 27) this.#herd.step((engine) => (extra < 40 ? engine.closeQp(qp) : undefined));
    else if (kind === 28) this.#single(timePs, step);
    else if (kind === 29) this.#toDeadline(step);
    else if (kind === 30) this.#find(step);
  }

  #timeOf({ gapKind, gap, extra, qp }: Step): number {
    if (gapKind === 14) return Math.max(0, this.#nowPs - gap * 1000);
    if (gapKind === 15 && extra < 64) return BAD_TIMES[extra % BAD_TIMES.length]!;
    const parameterSet = this.#parameterSets[qp % this.#parameterSets.length]!;
    this.#nowPs = Math.min(this.#nowPs + this.#gapPs(gapKind, gap, extra, parameterSet), TIME_MAX_PS);
    return this.#nowPs;
  }

  /** Often exactly one period, so that timers and events coincide. */
  #gapPs(gapKind: number, gap: number, extra: number, parameterSet: DcqcnParameters): number {
    switch (gapKind) {
      case 2:
      case 3:
        return gap;
      case 4:
      case 5:
        return gap * 1000;
      case 6:
        return parameterSet.alphaPeriodPs;
      case 7:
        return parameterSet.increasePeriodPs;
      case 8:
        return parameterSet.cutPeriodPs;
      case 9:
        return parameterSet.cutOffsetPs + parameterSet.cutPeriodPs;
      case 10:
        return gap * 100_000;
      case 11:
        return parameterSet.increasePeriodPs + (gap % 3) - 1;
      case 12:
        return extra < 16 ? gap * 10_000_000 : gap;
      case 13:
        return extra < 3 ? gap * SECOND_PS : gap * 500;
      default:
        return 0;
    }
  }

  #add(add: (engine: Engine) => void): void {
    this.#herd.step(add);
  }

  #addFastCnp(timePs: number, { qp, gap, extra }: Step): void {
    const originalDestination = PEERS[gap & 3]!;
    const source = extra < 64 ? originalDestination : extra < 80 ? STRANGER : PEERS[extra & 3]!;
    const fields = {
      endpoint: qp % (ENDPOINTS + (gap > 1000 ? 1 : 0)),
      source,
      originalDestination,
      destQpn: 1 + (extra % PEER_QPNS),
    };
    this.#add((engine) => engine.events.fastCnp(timePs, fields));
  }

  #apply(): void {
    this.#herd.step((engine) => engine.applyEvents());
    this.#herd.check();
  }

  #advance(timePs: number): void {
    let from: number | undefined = 0;
    while (from !== undefined) {
      let next: number | undefined;
      const start: number = from;
      this.#herd.step((engine) => (next = engine.advance(timePs, start)));
      this.#herd.check();
      from = next;
    }
  }

  #open({ qp, gap, extra }: Step): void {
    const peerAddress = PEERS[(gap >> 4) & 3]!;
    this.#lastQpsPeer = peerAddress;
    const parameterSet = this.#names[(extra >> 2) % this.#names.length]!;
    const numbers = {
      endpoint: qp % ENDPOINTS,
      localQpn: 1 + (gap % LOCAL_QPNS),
      peerQpn: 1 + ((extra >> 2) % PEER_QPNS),
    };
    this.#herd.step((engine) => engine.openQp({ ...numbers, peerAddress, parameterSet }));
    this.#herd.check();
  }

  #single(timePs: number, { qp, gap, extra }: Step): void {
    this.#herd.step((engine) => {
      if (extra < 64) return engine.sent(timePs, qp, gap);
      if (extra < 128) return engine.cnp(timePs, qp);
      return extra < 192 ? engine.marked(timePs, qp, gap) : engine.touch(timePs, qp);
    });
    this.#herd.check();
  }

  /** Advances to just before, at or just after the next rate change without an event. */
  #toDeadline({ qp, gap }: Step): void {
    if (!this.#herd.first.isOpen(qp)) return;
    const deadlinePs = this.#herd.first.nextDeadlinePs(qp) + (gap % 3) - 1;
    if (!(deadlinePs > this.#nowPs && deadlinePs <= this.#nowPs + SECOND_PS && deadlinePs <= TIME_MAX_PS)) return;
    this.#nowPs = deadlinePs;
    this.#herd.step((engine) => (gap < 512 ? engine.touch(deadlinePs, qp) : engine.sent(deadlinePs, qp, gap)));
    this.#herd.check();
  }

  #find({ qp, gap, extra }: Step): void {
    this.#herd.step((engine) =>
      engine.findFlow(qp % ENDPOINTS, gap < 512 ? this.#lastQpsPeer : PEERS[gap & 3]!, (extra >> 2) % 8)
    );
    this.#herd.step((engine) => engine.findLocal(qp % ENDPOINTS, (extra >> 2) % 24));
  }
}

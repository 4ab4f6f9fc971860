/** Counts PAUSE and PFC frames, per sender and priority. */
import { EtherType } from '../wire/link/ethernet.js';
import { MacControl, Pause } from '../wire/link/mac-control.js';
import { Pfc } from '../wire/link/pfc.js';
import type { PauseSummary } from './report.js';

/** Maximum number of sender and priority pairs counted separately. */
const PAUSES_MAX = 1000;
/** Offset of the source address in an Ethernet frame. */
const SOURCE = 6;
const TYPE = 12;
const BODY = 14;

type Counts = { -readonly [Name in keyof PauseSummary]: PauseSummary[Name] };

export class PauseTally {
  readonly #counts = new Map<string, Counts>();

  /** Summaries in order of appearance. */
  get summaries(): PauseSummary[] {
    return [...this.#counts.values()];
  }

  /** Counts a complete PAUSE or PFC frame. */
  count(frame: Uint8Array): void {
    if (readU16(frame, TYPE) !== EtherType.MAC_CONTROL) return;
    const opcode = readU16(frame, BODY);
    if (opcode === MacControl.PAUSE && frame.length >= BODY + Pause.lenBytes) {
      this.#add(frame, undefined, Pause.read(frame, BODY).pauseQuanta);
    } else if (opcode === MacControl.PFC && frame.length >= BODY + Pfc.lenBytes) {
      const pfc = Pfc.read(frame, BODY);
      pfc.pauseQuanta.forEach((quanta, priority) => {
        if (Pfc.isClassEnabled(pfc, priority)) this.#add(frame, priority, quanta);
      });
    }
  }

  #add(frame: Uint8Array, priority: number | undefined, quanta: number): void {
    const source = Array.from(frame.subarray(SOURCE, TYPE), (byte) => byte.toString(16).padStart(2, '0')).join(':');
    const key = `${source} ${priority ?? 'all'}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      if (this.#counts.size === PAUSES_MAX) return;
      counts = { kind: priority === undefined ? 'pause' : 'pfc', source, priority, pauses: 0, resumes: 0 };
      this.#counts.set(key, counts);
    }
    if (quanta > 0) counts.pauses++;
    else counts.resumes++;
  }
}

function readU16(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
}

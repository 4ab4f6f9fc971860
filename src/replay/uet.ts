/** Counts the Ultra Ethernet packets of a capture: by type, trimmed ones, retransmissions, NACKs by their code. */
import type { Dissection } from '../packet/index.js';
import { hex } from '../packet/words.js';
import { readU16 } from '../wire/bytes.js';
import { UetType, uetNackName } from '../wire/uet/codes.js';
import { UetNack } from '../wire/uet/pds.js';

/** Frames that share a name. */
export interface UetCount {
  /** Name in the specification; `type 15` or `code 0x0c` for an unknown number. */
  readonly name: string;
  /** Number of frames. */
  readonly frames: number;
}

/** Ultra Ethernet packets of a capture. */
export interface UetSummary {
  /** All frames, trimmed ones included. */
  readonly frames: number;
  /** By the type of packet delivery, the most frequent first. */
  readonly types: readonly UetCount[];
  /** Frames whose DSCP says that a switch trimmed them. */
  readonly trimmed: number;
  /** Requests and control packets that are retransmissions. */
  readonly retransmitted: number;
  /** NACKs by code, the most frequent first. */
  readonly nacks: readonly UetCount[];
}

const FLAG_RETRANSMISSION = 0x10;
const NACK_CODE = UetNack.offsetOf('nackCode');
/** Types whose flag says that they themselves are retransmissions; in a reply it is that of the packet it answers. */
const RETRANSMITTED_TYPES: readonly number[] = [
  UetType.RUD_REQUEST,
  UetType.ROD_REQUEST,
  UetType.RUDI_REQUEST,
  UetType.CONTROL,
  UetType.RUD_CC_REQUEST,
  UetType.ROD_CC_REQUEST,
];

/** Counts packets that were dissected. */
export class UetTally {
  #frames = 0;
  #trimmed = 0;
  #retransmitted = 0;
  readonly #types = new Map<string, number>();
  readonly #nacks = new Map<string, number>();

  /** Undefined if there are no packets. */
  get summary(): UetSummary | undefined {
    if (this.#frames === 0) return undefined;
    return {
      frames: this.#frames,
      types: sorted(this.#types),
      trimmed: this.#trimmed,
      retransmitted: this.#retransmitted,
      nacks: sorted(this.#nacks),
    };
  }

  /** @returns false if the frame is not Ultra Ethernet, and is not counted. */
  count({ bytes, capturedEnd, uetOffset, uetIsTrimmed }: Dissection): boolean {
    if (uetOffset === 0) return false;
    const type = bytes[uetOffset] >> 3;
    this.#frames++;
    if (uetIsTrimmed) this.#trimmed++;
    increment(this.#types, UetType.nameOf(type) ?? `type ${type}`);
    const isRetransmission = (readU16(bytes, uetOffset) & FLAG_RETRANSMISSION) !== 0;
    if (isRetransmission && RETRANSMITTED_TYPES.includes(type)) this.#retransmitted++;
    const codeAt = uetOffset + NACK_CODE;
    if ((type === UetType.NACK || type === UetType.NACK_CCX) && codeAt < capturedEnd) {
      const code = bytes[codeAt];
      increment(this.#nacks, uetNackName(code) ?? `code ${hex(code, 2)}`);
    }
    return true;
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): UetCount[] {
  return [...counts].map(([name, frames]) => ({ name, frames })).sort((a, b) => b.frames - a.frames);
}

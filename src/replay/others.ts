/**
 * Identifies frames of class `other` by the innermost header field that led to no known protocol, and its value.
 *
 * Bounded memory: KINDS_MAX kinds; frames of further kinds are only counted.
 */
import { LINK_ETHERNET, LINK_RAW_IP } from '../abi/codes.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_RAW } from '../capture/index.js';
import type { PacketBatch } from '../engine/packet-batch.js';
import { Dissection, LAYER_NONE, LAYER_PAYLOAD, LAYER_TRAILER, UNREAD_NAMES, dissectInto,
  layerName } from '../packet/index.js';
import { LinkRules } from '../packet/link-rules.js';
import type { OtherKind } from './report.js';

/** Maximum number of kinds kept separately. */
const KINDS_MAX = 100;

export class OtherTally {
  /** Frames of kinds beyond KINDS_MAX. */
  elsewhere = 0;
  readonly #kinds = new Map<string, OtherKind & { frames: number }>();
  readonly #dissection = new Dissection();
  readonly #rules = new LinkRules();

  /** Kinds, the most frequent first. */
  get summaries(): OtherKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.frames - a.frames);
  }

  /** Counts processed frame `index` of class `other`, number `frame` of the capture, with this link type. */
  count(packets: PacketBatch, index: number, frame: number, linkType: number): void {
    const link = packets.linkCode(index);
    const readAs = link === LINK_ETHERNET ? LINK_TYPE_ETHERNET : link === LINK_RAW_IP ? LINK_TYPE_RAW : linkType;
    const bytes = packets.frame(index);
    const found = dissectInto(this.#dissection, bytes, bytes.length, this.#rules.of(readAs));
    const field = UNREAD_NAMES[found.unreadKind];
    this.#add(field === 'nothing' ? lastLayer(found) : field, field === 'nothing' ? 0 : found.unreadNumber, frame);
  }

  #add(field: OtherKind['field'], number: number, frame: number): void {
    const key = `${field} ${number}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) known.frames++;
    else if (this.#kinds.size < KINDS_MAX) this.#kinds.set(key, { field, number, frames: 1, firstFrame: frame });
    else this.elsewhere++;
  }
}

/** The innermost header of a frame that was parsed completely. */
function lastLayer({ count, kinds, troubleKind }: Dissection): OtherKind['field'] {
  if (troubleKind !== LAYER_NONE) return layerName(troubleKind);
  for (let index = count - 1; index >= 0; index--) {
    if (kinds[index] !== LAYER_TRAILER && kinds[index] !== LAYER_PAYLOAD) return layerName(kinds[index]);
  }
  return 'undecoded';
}

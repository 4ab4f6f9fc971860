/** Chooses a capture file's format, from its name, and link types, from its packets. */
import { LINK_TYPE_ETHERNET } from '../../capture/link-types.js';
import { encodeCapture, type EncodeCaptureOptions } from '../../capture/writer.js';
import type { CaptureFrame } from '../../capture/index.js';
import { RoceError } from '../../errors.js';
import type { DescribedPacket } from './description.js';

const NAME_PATTERN = /\.pcap(ng)?(\.gz)?$/;
const NG_PATTERN = /\.pcapng(\.gz)?$/;
const FRAME_PATTERN = /^frames\[(\d+)\]\.(.*)$/;

/** A file to be written. */
export interface CapturePlan {
  readonly options: EncodeCaptureOptions;
  /** Link types in order of appearance; a pcap file has only one. */
  readonly linkTypes: readonly number[];
}

/** Whether the name implies a format. */
export function hasCaptureName(path: string): boolean {
  return NAME_PATTERN.test(path);
}

/** @throws RoceError `invalid-argument` naming a packet whose link type the format can't store. */
export function planCapture(path: string, packets: readonly DescribedPacket[]): CapturePlan {
  const found = [...new Set(packets.map(({ linkType }) => linkType))];
  const linkTypes = found.length === 0 ? [LINK_TYPE_ETHERNET] : found;
  const [linkType] = linkTypes;
  if (NG_PATTERN.test(path)) {
    return {
      options: { format: 'pcapng', sections: [{ interfaces: linkTypes.map((one) => ({ linkType: one })) }] },
      linkTypes,
    };
  }
  const other = packets.find((packet) => packet.linkType !== linkType);
  if (!other) return { options: { format: 'pcap', linkType, resolution: 'ns' }, linkTypes };
  const allowed = `${linkType}, as the packets before it: a pcap file has one link type, a .pcapng file several`;
  throw rejected(other.linkType, allowed, `${other.where}, linkType`);
}

/**
 * Checks that the file can hold every frame.
 * @throws RoceError `invalid-argument` naming the packet and the field.
 */
export function requireWritable(frames: readonly CaptureFrame[], { options }: CapturePlan,
  packets: readonly DescribedPacket[]): void {
  try {
    encodeCapture(frames, options);
  } catch (error) {
    const match = error instanceof RoceError ? FRAME_PATTERN.exec(error.where) : null;
    if (!(error instanceof RoceError) || match === null) throw error;
    throw error.at(`${packets[Number(match[1])].where}, ${match[2]}`);
  }
}

function rejected(got: unknown, allowed: string, where: string): RoceError {
  return new RoceError('invalid-argument', { got, allowed, where, what: 'the link type of the packet' });
}

/** Finds frames with a wrong invariant CRC. The engine checks RoCEv2; RoCEv1 is checked here. */
import { CLASS_ROCE_V1 } from '../abi/codes.js';
import type { PacketReport } from '../engine/packet-batch.js';
import { readU16 } from '../wire/bytes.js';
import { Udp } from '../wire/ip/udp.js';
import { Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';
import { Grh, computeRoceV1Icrc } from '../wire/roce/roce-v1.js';
import { Icrc } from '../wire/roce/icrc.js';

/** Maximum number of wrong frames listed. */
const LISTED_MAX = 100;
const TYPE_AT = Ethernet.lenBytes - 2;
const PAYLOAD_LENGTH = Grh.offsetOf('payloadLength');
const UDP_LENGTH = Udp.offsetOf('length');
const NEXT_HEADER = Grh.offsetOf('nextHeader');

/** Result of checking the ICRCs of all RoCE frames. */
export interface IcrcSummary {
  /** RoCE frames whose ICRC was computed. */
  readonly checked: number;
  /** Frames whose ICRC differs from the computed one. */
  readonly wrong: number;
  /** Frames with a wrong ICRC of 0: captured before the adapter computed it. */
  readonly zero: number;
  /** RoCE frames that were captured only in part. */
  readonly cut: number;
  /** Numbers of the first wrong frames in the capture, from 1; at most 100. */
  readonly wrongFrames: readonly number[];
}

export class IcrcTally {
  readonly #wrongFrames: number[] = [];
  #checked = 0;
  #wrong = 0;
  #zero = 0;
  #cut = 0;

  get summary(): IcrcSummary {
    const wrongFrames = [...this.#wrongFrames];
    return { checked: this.#checked, wrong: this.#wrong, zero: this.#zero, cut: this.#cut, wrongFrames };
  }

  /** @param number of the frame in the capture, from 1. */
  count(frame: Uint8Array, report: PacketReport, classCode: number, number: number): void {
    if (classCode === CLASS_ROCE_V1) this.#countRoceV1(frame, number);
    else if (report.icrc === 'right') this.#checked++;
    else if (report.icrc === 'wrong') this.#countWrong(isZeroAt(frame, report), number);
    else if (report.bthOffset > 0) this.#cut++;
  }

  #countRoceV1(frame: Uint8Array, number: number): void {
    const grhOffset = grhOffsetOf(frame);
    const payloadBytes = readU16(frame, grhOffset + PAYLOAD_LENGTH);
    if (frame[grhOffset + NEXT_HEADER] !== Grh.NEXT_HEADER_BTH) return;
    const icrcOffset = grhOffset + Grh.lenBytes + payloadBytes - Icrc.lenBytes;
    if (icrcOffset + Icrc.lenBytes > frame.length) {
      this.#cut++;
      return;
    }
    const icrc = Icrc.read(frame, icrcOffset);
    if (icrc === computeRoceV1Icrc(frame, grhOffset, icrcOffset)) this.#checked++;
    else this.#countWrong(icrc === 0, number);
  }

  #countWrong(isZero: boolean, number: number): void {
    this.#checked++;
    this.#wrong++;
    if (isZero) this.#zero++;
    if (this.#wrongFrames.length < LISTED_MAX) this.#wrongFrames.push(number);
  }
}

/** Offset of the GRH, after the Ethernet header and its VLAN tags. */
function grhOffsetOf(frame: Uint8Array): number {
  let at = TYPE_AT;
  while (isVlanTagType(readU16(frame, at))) at += VlanTag.lenBytes;
  return at + 2;
}

/** Whether the ICRC, which ends the UDP datagram, is 0. */
function isZeroAt(frame: Uint8Array, { bthOffset }: PacketReport): boolean {
  const udpOffset = bthOffset - Udp.lenBytes;
  return Icrc.read(frame, udpOffset + readU16(frame, udpOffset + UDP_LENGTH) - Icrc.lenBytes) === 0;
}

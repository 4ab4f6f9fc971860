/**
 * The part of a walk that reads MRC packets. The rules hold it, so that programs that only read RoCEv2 need not bundle
 * it.
 */
import type { Dissection } from './dissection.js';
import type { MrcSettings } from './mrc-settings.js';

/** Reads MRC packets. */
export interface MrcReader {
  /** Settings for reading MRC packets. */
  readonly settings: MrcSettings;
  /** Whether a UDP datagram is an MRC packet: it has an MRC port and an opcode of MRC's class. */
  readonly takes: (d: Dissection, port: number, bthOffset: number, endOffset: number) => boolean;
  /**
   * Walks the datagram, which ends at `endOffset` according to the headers around it. @param checksIcrc whether to
   * check the ICRC.
   */
  readonly walk: (d: Dissection, udpOffset: number, endOffset: number, checksIcrc: boolean) => void;
  /** Whether an IP packet that is shorter than its length field is a trimmed MRC packet. */
  readonly takesTrimmed: (d: Dissection, ipOffset: number, version: number) => boolean;
}

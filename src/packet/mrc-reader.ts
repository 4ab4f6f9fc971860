/** The part of a walk that reads MRC packets: of the rules, so that readers of RoCEv2 alone need not contain it. */
import type { Dissection } from './dissection.js';
import type { MrcSettings } from './mrc-settings.js';

/** Reads MRC packets. */
export interface MrcReader {
  /** How it reads them. */
  readonly settings: MrcSettings;
  /** Whether a UDP datagram is an MRC packet: a port of MRC, and an opcode of its class. */
  readonly takes: (d: Dissection, port: number, bthOffset: number, endOffset: number) => boolean;
  /** Walks the datagram, which ends at `endOffset` by the headers around it. @param checksIcrc whether it checks the ICRC. */
  readonly walk: (d: Dissection, udpOffset: number, endOffset: number, checksIcrc: boolean) => void;
  /** Whether an IP packet that is shorter than it says is a trimmed one of MRC. */
  readonly takesTrimmed: (d: Dissection, ipOffset: number, version: number) => boolean;
}

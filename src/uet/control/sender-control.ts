/** Sender-based congestion control: how ACKs and NACKs change the window. */

export interface SenderControl {
  /** @param bytes bytes that the ACK newly reports as received. */
  onAck(isMarked: boolean, delayPs: number, bytes: number): void;
  /** @param bytes size of the trimmed packet. */
  onNack(bytes: number, isLastHop: boolean): void;
}

/** Sums of window changes by cause, as in the reference, bytes. */
export interface WindowChanges {
  fair: number;
  proportional: number;
  fast: number;
  eta: number;
  multiplicative: number;
  quick: number;
  nack: number;
}

export function noWindowChanges(): WindowChanges {
  return { fair: 0, proportional: 0, fast: 0, eta: 0, multiplicative: 0, quick: 0, nack: 0 };
}

/** A constant window. As in the reference, a timeout still shrinks it, permanently. */
export const CONSTANT_CONTROL: SenderControl = {
  onAck: () => undefined,
  onNack: () => undefined,
};

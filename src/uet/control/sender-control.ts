/** Sender-based congestion control: how ACKs and NACKs change the window. */

export interface SenderControl {
  /** @param bytes newly reported as received. */
  onAck(isMarked: boolean, delayPs: number, bytes: number): void;
  /** @param bytes of the packet that was trimmed. */
  onNack(bytes: number, isLastHop: boolean): void;
}

/** The reference's own counts of window changes, bytes. */
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

/** Keeps the window. A timeout shrinks it all the same, for good, as in the reference. */
export const CONSTANT_CONTROL: SenderControl = {
  onAck: () => undefined,
  onNack: () => undefined,
};

/** Credit that receivers grant (RCCC), in the form that the kernel reads. Part of a `NetworkPlan`. */

/** Receiver credit of all flows whose algorithm reads it. */
export interface ReceiverCreditPlan {
  /** Length of a credit packet. */
  readonly packetBytes: number;
}

/** Receiver credit in the kernel's memory. */
import type { KernelPart } from '../../kernel/kernel-part.js';

export const RECEIVER_CREDIT_MEMORY: KernelPart = {
  capacity: ({ receiverCredit }) => ({ receiverCredit: receiverCredit !== undefined }),
  rules: ({ receiverCredit }) => ({ creditPacketBytes: receiverCredit?.packetBytes ?? 0 }),
};

/** The parts of a job's critical path, in words. */
import type { CriticalPath } from '../../result.js';

export const CRITICAL_PARTS = {
  computePs: 'computing',
  messagePs: 'messages alone',
  queueingPs: 'waiting in queues',
  heldBackPs: 'senders held back by congestion control or pauses',
  overheadPs: 'overheads of sends and receives',
  otherPs: 'waiting for receives and lanes',
} as const satisfies Partial<Readonly<Record<keyof CriticalPath, string>>>;

/** A part of the time of a critical path, by its field. */
export type CriticalPart = keyof typeof CRITICAL_PARTS;

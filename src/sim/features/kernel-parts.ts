/** The features that use memory in the kernel. */
import type { KernelPart } from '../kernel/kernel-part.js';
import { BALANCING_MEMORY } from './balancing/memory.js';
import { CONNECTIONS_MEMORY } from './connections/memory.js';
import { HAZARDS_MEMORY } from './hazards/memory.js';
import { JOBS_MEMORY } from './jobs/memory.js';
import { MESSAGES_MEMORY } from './messages/memory.js';
import { POINTS_MEMORY } from './points/memory.js';
import { POOLS_MEMORY } from './pools.js';
import { RECEIVER_CREDIT_MEMORY } from './receiver-credit.js';
import { LOSSY_MEMORY } from './reference-lossy/memory.js';
import { TRANSPORTS_MEMORY } from './transports/memory.js';
import { TRIMMING_MEMORY } from './trimming.js';
import { VERBS_MEMORY } from './verbs/memory.js';
import { WAN_MEMORY } from './wan/memory.js';

export const KERNEL_PARTS: readonly KernelPart[] = [
  HAZARDS_MEMORY,
  LOSSY_MEMORY,
  BALANCING_MEMORY,
  TRANSPORTS_MEMORY,
  TRIMMING_MEMORY,
  RECEIVER_CREDIT_MEMORY,
  CONNECTIONS_MEMORY,
  VERBS_MEMORY,
  POOLS_MEMORY,
  POINTS_MEMORY,
  WAN_MEMORY,
  MESSAGES_MEMORY,
  JOBS_MEMORY,
];

/** Settings of a run, which the host writes into the region SIM_RULES. */
import { defineSlots, f64 } from './define-record.js';
import type { SlotValues } from './fields.js';

/** Booleans are 0 and 1. */
export const SIM_RULE = /* @__PURE__ */ defineSlots('RULE', f64, {
  /** Round serialisation times as the ns-3 reference simulator does. */
  txNs3: 1,
  free1: 1,
  wireOverheadBytes: 1,
  pauseBytes: 1,
  cnpBytes: 1,
  fastCnpBytes: 1,
  /** Receivers send CNPs; if 0, ACKs echo the marks. */
  cnpPackets: 1,
  free7: 1,
  cnpClass: 1,
  /** Classes below this number have strict priority over all others. */
  strictClasses: 1,
  markAtEnqueue: 1,
  markEctOnly: 1,
  /** Kind of telemetry, TELEMETRY_*. */
  telemetry: 1,
  intMultiplier: 1,
  nakIntervalPs: 1,
  free15: 1,
  pacing: 1,
  resumeOffsetBytes: 1,
  reservedBytes: 1,
  /** The fidelity is that of a reference simulator. */
  reference: 1,
  seed: 1,
  /** Telemetry records per packet: switches on the longest path. */
  hops: 1,
  /** Log2 of picoseconds per slot of the event queue's wheel. */
  slotShift: 1,
  /** T of HPCC-PINT's switches; 0 = no PINT. */
  pintRttPs: 1,
  /** Logarithm base of PINT's encoding; its largest value. */
  pintBase: 1,
  pintMax: 1,
  /** Switches copy the telemetry of the path so far into their Fast CNPs. */
  fastCnpTelemetry: 1,
  /** Class whose pause blocks a host's ACKs; 0: none; SIM_NONE: the ACKs' own class. */
  ackPauseClass: 1,
  /** In the first bytes of a flow, ACKs are sent only at multiples of the chunk; 0: no such phase. */
  delayedAckBytes: 1,
  delayedAckChunkBytes: 1,
  /** For `reference-lossy`, as are all up to `checkEveryPs`: losses are repaired by IRN. */
  irn: 1,
  irnWindowBytes: 1,
  irnTimeoutLowPs: 1,
  irnTimeoutHighPs: 1,
  backToZeroBytes: 1,
  pauseTimePs: 1,
  /** Some switch sends PFC pauses. */
  anyPfc: 1,
  /** Balancing rule, BALANCING_*. */
  balancing: 1,
  /** Times of ConWeave. */
  expiryPs: 1,
  replyExtraPs: 1,
  pathPausePs: 1,
  flushExtraPs: 1,
  defaultWaitPs: 1,
  checkFromPs: 1,
  checkEveryPs: 1,
  /** Bit per class with guaranteed memory at each port; how many times it is reserved there. */
  guaranteedClasses: 1,
  timesSetAside: 1,
  /** SIM_NONE: among a host's flows, the one that began first sends next; 0: round-robin. */
  firstCome: 1,
  /** Bytes of the SACK field of responses under `standard`: IRN 8, `tolerant` 16, MRC 32; 0: no SACK field. */
  sackBytes: 1,
  /** Idle time (nothing in flight) after which a QP restarts at line rate; infinite: never. */
  idleRestartPs: 1,
  /** Length of a trimmed packet; its class; bit per class whose data is trimmed. */
  trimBytes: 1,
  trimClass: 1,
  trimClasses: 1,
  /** Length of a credit packet. */
  creditPacketBytes: 1,
});

/** Values of some rules. */
export type RuleValues = SlotValues<typeof SIM_RULE>;

/** Rules of a run, which the host writes into the region SIM_RULES. */
import { defineSlots, f64 } from './define-record.js';
import type { SlotValues } from './fields.js';

/** Booleans are 0 and 1. */
export const SIM_RULE = /* @__PURE__ */ defineSlots('RULE', f64, {
  /** Serialisation times are rounded as the reference simulator rounds them. */
  txNs3: 1,
  free1: 1,
  wireOverheadBytes: 1,
  pauseBytes: 1,
  cnpBytes: 1,
  fastCnpBytes: 1,
  /** Receivers notify by CNPs; else by the marks that ACKs echo. */
  cnpPackets: 1,
  free7: 1,
  cnpClass: 1,
  /** Classes below this number are served strictly before all others. */
  strictClasses: 1,
  markAtEnqueue: 1,
  markEctOnly: 1,
  /** TELEMETRY_*. */
  telemetry: 1,
  intMultiplier: 1,
  nakIntervalPs: 1,
  free15: 1,
  pacing: 1,
  resumeOffsetBytes: 1,
  reservedBytes: 1,
  /** The fidelity is one of the reference simulators'. */
  reference: 1,
  seed: 1,
  /** Telemetry records per packet: switches of the longest path. */
  hops: 1,
  /** Log2 of picoseconds per slot of the event queue's wheel. */
  slotShift: 1,
  /** T of HPCC-PINT's switches; 0 = no PINT. */
  pintRttPs: 1,
  /** Logarithm base of PINT's encoding, and its largest value. */
  pintBase: 1,
  pintMax: 1,
  /** A switch copies the telemetry of the path so far into its Fast CNPs. */
  fastCnpTelemetry: 1,
  /** Class whose pause holds a host's ACKs; 0: none does; SIM_NONE: their own. */
  ackPauseClass: 1,
  /** First bytes of a flow that get ACKs at multiples of the chunk alone; 0: none. */
  silenceBytes: 1,
  silenceChunkBytes: 1,
  /** Of `reference-lossy`, as those up to `checkEveryPs`: losses are repaired by IRN. */
  irn: 1,
  irnWindowBytes: 1,
  irnTimeoutLowPs: 1,
  irnTimeoutHighPs: 1,
  backToZeroBytes: 1,
  pauseTimePs: 1,
  /** Some switch pauses its neighbours. */
  anyPfc: 1,
  /** BALANCING_*. */
  balancing: 1,
  /** ConWeave's times. */
  expiryPs: 1,
  replyExtraPs: 1,
  pathPausePs: 1,
  flushExtraPs: 1,
  defaultWaitPs: 1,
  checkFromPs: 1,
  checkEveryPs: 1,
  /** Bit per class with memory reserved at each port, and how often it is reserved there. */
  guaranteedClasses: 1,
  timesSetAside: 1,
  /** SIM_NONE: of a host's flows the one that began first sends next; 0: round-robin. */
  firstCome: 1,
  /** Bytes in which responses name packets that arrived ahead, under `standard`: IRN 8, `tolerant` 16, MRC 32; 0: none do. */
  sackBytes: 1,
  /** Time without bytes in flight after which a QP restarts at line rate; infinite: never. */
  idleRestartPs: 1,
  /** Length of a trimmed packet, its class, and bit per class whose data are trimmed. */
  trimBytes: 1,
  trimClass: 1,
  trimClasses: 1,
  /** Length of a credit packet. */
  creditPacketBytes: 1,
});

/** Values of some rules. */
export type RuleValues = SlotValues<typeof SIM_RULE>;

/** The words that settings may have, in the order in which messages and pages list them. */

/** `fidelity`. */
export const FIDELITIES = ['standard', 'reference', 'reference-lossy', 'reference-uet'] as const;

/** Those whose networks sim.wasm runs. */
export type KernelFidelity = Exclude<(typeof FIDELITIES)[number], 'reference-uet'>;

/** `hosts.pathSelection`. */
export const PATH_SELECTIONS = ['flow', 'oblivious', 'bitmap', 'reps', 'entropy-states'] as const;

/** `hosts.transport`, and those of workloads and flows. */
export const TRANSPORTS = ['go-back-n', 'selective-repeat', 'irn', 'tolerant', 'mrc'] as const;

/** `operation` of workloads and flows. */
export const OPERATIONS = ['write', 'send', 'read'] as const;

/** `uet.control`. */
export const UET_CONTROLS = [
  'nscc',
  'rccc',
  'nscc+rccc',
  'dctcp',
  'dctcp+rccc',
  'constant',
  'constant+rccc',
] as const;

/** `uet.pathSelection`. */
export const UET_PATH_SELECTIONS = ['oblivious', 'bitmap', 'mixed', 'reps', 'reps-legacy'] as const;

/** `uet.nextHops`. */
export const UET_NEXT_HOPS = [
  'ecmp-host',
  'ecmp-rr',
  'rr-ecmp',
  'ecmp-ar',
  'ecmp-host-ar',
  'ecmp-host-ecn',
  'reactive-ecn',
] as const;

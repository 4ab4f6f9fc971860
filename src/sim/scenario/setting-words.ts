/** The words that settings accept, in the order in which messages and pages list them. */
/** Values of `fidelity`. */
export const FIDELITIES = ['standard', 'reference', 'reference-lossy', 'reference-uet'] as const;

/** Fidelities whose networks sim.wasm runs. */
export type KernelFidelity = Exclude<(typeof FIDELITIES)[number], 'reference-uet'>;

/** Values of `hosts.pathSelection`. */
export const PATH_SELECTIONS = ['flow', 'oblivious', 'bitmap', 'reps', 'entropy-states'] as const;

/** Values of `hosts.transport`, and of `transport` of workloads and flows. */
export const TRANSPORTS = ['go-back-n', 'selective-repeat', 'irn', 'tolerant', 'mrc'] as const;

/** Values of `operation` of workloads and flows. */
export const OPERATIONS = ['write', 'send', 'read'] as const;

/** Values of `uet.control`. */
export const UET_CONTROLS = [
  'nscc',
  'rccc',
  'nscc+rccc',
  'dctcp',
  'dctcp+rccc',
  'constant',
  'constant+rccc',
] as const;

/** Values of `uet.pathSelection`. */
export const UET_PATH_SELECTIONS = ['oblivious', 'bitmap', 'mixed', 'reps', 'reps-legacy'] as const;

/** Values of `uet.nextHops`. */
export const UET_NEXT_HOPS = [
  'ecmp-host',
  'ecmp-rr',
  'rr-ecmp',
  'ecmp-ar',
  'ecmp-host-ar',
  'ecmp-host-ecn',
  'reactive-ecn',
] as const;

/** Converts settings that may be given as true or false to an object: false becomes `{ enabled: false }`. */
export function asSettings<Settings extends { readonly enabled?: boolean }>(
  given: Settings | boolean | undefined,
): Settings | undefined {
  return typeof given === 'boolean' ? { enabled: given } as Settings : given;
}

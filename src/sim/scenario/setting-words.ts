/** The words that settings may have, in the order in which messages and pages list them; their types and meanings are in the specs. */
import type { LossyBalancing } from '../lossy-plan.js';
import type { BalancingRule } from '../balancing-plan.js';
import type { PathSelection } from './balancing-spec.js';
import type { Transport } from './spec-jobs.js';
import type { Operation } from './verb-spec.js';

/** `switches.loadBalancing` under `standard`. */
export const BALANCING_RULES = [
  'ecmp',
  'random',
  'round-robin',
  'flowlet',
  'drill',
  'conga',
  'least-queue',
  'adaptive',
  'wcmp',
  'weighted-random',
] as const satisfies readonly BalancingRule[];

/** `switches.loadBalancing` under `reference-lossy`. */
export const LOSSY_BALANCING = [
  'ecmp',
  'drill',
  'letflow',
  'conga',
  'conweave',
] as const satisfies readonly LossyBalancing[];

/** `hosts.pathSelection`. */
export const PATH_SELECTIONS = ['flow', 'oblivious', 'bitmap', 'reps'] as const satisfies readonly PathSelection[];

/** `hosts.transport`, and those of workloads and flows. */
export const TRANSPORTS = [
  'go-back-n',
  'selective-repeat',
  'irn',
  'tolerant',
  'mrc',
] as const satisfies readonly Transport[];

/** `operation` of workloads and flows. */
export const OPERATIONS = ['write', 'send', 'read'] as const satisfies readonly Operation[];

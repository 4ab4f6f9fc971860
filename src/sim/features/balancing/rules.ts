/**
 * The rules by which a switch chooses among equal next hops. Each is declared once: its name, its number in the kernel, its
 * help text.
 */
import * as codes from '../../../abi/records/balancing.js';

interface RuleFacts {
  /** Its number in the kernel. */
  readonly code: number;
  /** Text after the name in the description of `switches.loadBalancing`. */
  readonly help: string;
  /** Whether packets of one flow are on several paths at once. */
  readonly spreads?: true;
  /** Whether the UDP source port of a packet determines its path. */
  readonly readsSourcePort?: true;
  readonly keepsFlowlets?: true;
  /** Whether it chooses next hops by the capacity that they lead to. */
  readonly weighs?: true;
}

/** The rules under `standard`, in the order in which messages and pages list them. */
const STANDARD = {
  'ecmp': { code: codes.BALANCING_RULE_ECMP, help: 'by a hash of its flow', readsSourcePort: true },
  'random': { code: codes.BALANCING_RULE_RANDOM, help: 'per packet a random one', spreads: true },
  'round-robin': { code: codes.BALANCING_RULE_ROUND_ROBIN, help: 'per packet the next one', spreads: true },
  'flowlet': { code: codes.BALANCING_RULE_FLOWLET, help: 'a random one per flowlet (LetFlow)', keepsFlowlets: true },
  'drill': {
    code: codes.BALANCING_RULE_DRILL,
    help: 'per packet the shortest of some random queues and of those that were short before',
    spreads: true,
  },
  // Only leaves use CONGA; spines hash.
  'conga': {
    code: codes.BALANCING_RULE_CONGA,
    help: 'the least loaded one per flowlet, by feedback of the leaves',
    readsSourcePort: true,
    keepsFlowlets: true,
  },
  'least-queue': {
    code: codes.BALANCING_RULE_LEAST_QUEUE,
    help: 'per packet the port with the shortest queue',
    spreads: true,
  },
  'adaptive': {
    code: codes.BALANCING_RULE_ADAPTIVE,
    help: 'per packet a random one of those whose queues are in the lowest class',
    spreads: true,
  },
  'wcmp': {
    code: codes.BALANCING_RULE_WCMP,
    help: 'by the hash, in proportion to the capacity that next hops lead to',
    readsSourcePort: true,
    weighs: true,
  },
  'weighted-random': {
    code: codes.BALANCING_RULE_WEIGHTED_RANDOM,
    help: 'per packet a random one, in proportion to that capacity',
    spreads: true,
    weighs: true,
  },
  'source-route': {
    code: codes.BALANCING_RULE_SOURCE_ROUTE,
    help:
      'the path that its sender has chosen, which the UDP source port numbers, and no other one while a link is down',
    readsSourcePort: true,
  },
  // A field of bits is a stride and a mask, so the kernel has one rule for both.
  'entropy-bits': {
    code: codes.BALANCING_RULE_SOURCE_ROUTE,
    help: 'by the bits of the UDP source port that its tier reads, and no other one while a link is down',
    readsSourcePort: true,
  },
} as const satisfies Readonly<Record<string, RuleFacts>>;

type StandardRule = keyof typeof STANDARD;

/**
 * How a switch chooses one of several equal paths for a data packet. `plane-of-entropy` is only for adapters of hosts with
 * `entropy-states`.
 */
export type BalancingRule = StandardRule | 'plane-of-entropy';

export const RULE_FACTS: Readonly<Record<BalancingRule, RuleFacts>> = {
  ...STANDARD,
  'plane-of-entropy': { code: codes.BALANCING_RULE_PLANE_OF_ENTROPY, help: 'the plane of its entropy' },
};

/** The values of `switches.loadBalancing` under `standard`. */
export const BALANCING_RULES = Object.keys(STANDARD) as StandardRule[];

/** The rule with a name; undefined for names that only `reference-lossy` has. */
export function standardRule(word: string | undefined): StandardRule | undefined {
  return BALANCING_RULES.find((rule) => rule === word);
}

/** The values of `switches.loadBalancing` under `reference-lossy`. */
export const LOSSY_BALANCING = ['ecmp', 'drill', 'letflow', 'conga', 'conweave'] as const;

/** What each rule does, for the description of the setting. */
export const RULES_HELP = BALANCING_RULES.map((rule) => `${rule} ${STANDARD[rule].help}`).join('; ');

/** Settings that one rule reads, and the rule. */
export const SETTINGS_OF_RULES = [['drill', 'drill'], ['conga', 'conga'], ['adaptive', 'adaptive'], [
  'entropyBits',
  'entropy-bits',
]] as const;

/** Bits of an entropy value in simulations: the UDP source port. */
export const ENTROPY_BITS = 16;

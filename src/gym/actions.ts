/** Settings that agents may change, and their validation. */
import { inRange } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import type { Action, Declared } from './agent.js';

const U32_MAX = 2 ** 32 - 1;

/** Actions of a QP's agent; a host's agent applies them to each of its QPs. */
export const QP_ACTIONS = {
  rateShare: {
    unit: '',
    min: 1e-5,
    max: 1,
    whole: false,
    description: 'Rate by which it is paced, as a share of the line rate; its algorithm runs on, and does not pace it',
  },
  rateBps: {
    unit: 'b/s',
    min: 1e5,
    max: 'leastBps',
    whole: false,
    description: 'The same in bits per second; not together with `rateShare`',
  },
  windowBytes: {
    unit: 'bytes',
    min: 1,
    max: U32_MAX,
    whole: true,
    description: 'Bytes that may be in flight, instead of the window of its algorithm',
  },
} as const satisfies Record<string, Declared>;

/** Actions of a switch's agent, for each of its ports that marks packets. */
export const SWITCH_ACTIONS = {
  kminBytes: {
    unit: 'bytes',
    min: 0,
    max: U32_MAX,
    whole: false,
    description: 'Kmin: queue from which packets are marked; at most Kmax',
  },
  kmaxBytes: {
    unit: 'bytes',
    min: 0,
    max: U32_MAX,
    whole: false,
    description: 'Kmax: queue from which all packets are marked',
  },
  pmax: {
    unit: '',
    min: 0,
    max: 1,
    whole: false,
    description: 'Pmax: share of packets marked just below Kmax',
  },
} as const satisfies Record<string, Declared>;

/** Throws RoceError `invalid-argument` unless all members are declared and within their ranges. */
export function checkAction(action: Action, declared: Readonly<Record<string, Declared>>, lineRateBps: number,
  where: string): void {
  for (const [name, got] of Object.entries(action)) {
    if (!Object.hasOwn(declared, name))
      rejectAction({ what: `a member of ${where}`, got: name, allowed: Object.keys(declared), where });
    const { min, max, unit, whole } = declared[name];
    const range = {
      min,
      ...(max === null ? {} : { max: typeof max === 'string' ? lineRateBps : max }),
      ...(unit === '' ? {} : { unit }),
      ...(whole ? { multipleOf: 1 } : {}),
    };
    if (got !== null && !inRange(range).accepts(got))
      rejectAction({ got, allowed: [range, null], where: `${where}.${name}` });
  }
}

/** Rejects an action. Throws RoceError `invalid-argument`. */
export function rejectAction(fields: ConstructorParameters<typeof RoceError>[1]): never {
  throw new RoceError('invalid-argument', fields);
}

/**
 * RCCC, Ultra Ethernet's receiver-credit congestion control: a sender sends only what its receiver has granted. Parameters,
 * preset, checks.
 *
 *   largest window = max(packet, floor(maxWindowBdps floor(baseRtt / 1e12 floor(line rate / 8))))
 *
 * What each parameter does: assembly/algorithms/rccc/transitions.ts.
 */
import { checkField, checkFields, checkTogether, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../field-rules.js';
import { commonFields, type ParameterRecord, checkLineRate, SHARED_RULES, WINDOW_MAX_BYTES } from './algorithm.js';

/** Credit after a timeout of a sender without credit: one packet, or none if the transport sends a request (RTS) instead. */
export type RcccTimeoutCredit = 'packet' | 'none';

/** All settings of RCCC's sender; the preset `rcccUet` fills them in. */
export interface RcccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'rccc';
  /** Rate of the port, bits per second: the sender's rate, which RCCC never changes, and part of the bandwidth-delay product. */
  readonly maxRateBps: number;
  /** A full packet on the wire, bytes [mtu]: the smallest request of a speculating sender, and the credit after a timeout. */
  readonly packetBytes: number;
  /** Base round trip of the network, picoseconds. */
  readonly baseRttPs: number;
  /** Largest window, bandwidth-delay products: upper limit of the credit and of a sender's requests [max_cwnd]. */
  readonly maxWindowBdps: number;
  /** Speculative credit of a new QP, bytes; 0 = the largest window. */
  readonly initialCreditBytes: number;
  /** Credit after a timeout of a sender without credit. */
  readonly timeoutCredit: RcccTimeoutCredit;
}

/** Input of the RCCC preset; any other field overrides the preset's value. */
export interface RcccPresetOptions extends Partial<Omit<RcccParameters, 'algorithm' | 'maxRateBps' | 'baseRttPs'>> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
  /** Round trip of the longest path without queues, whole picoseconds. */
  readonly baseRttPs: number;
}

/** Sources: [UH] uet-htsim, commit 40ccb052 (docs/specs/uet-reference.md, 5.4 and 9); [own] a choice of this library. */
const DEFAULTS = {
  /** [UH] 4086 bytes of payload and 64 of headers. */
  packetBytes: 4150,
  /** [UH] */
  maxWindowBdps: 1.5,
  /** [UH] The largest window. */
  initialCreditBytes: 0,
  /** [own] uet-htsim sends a request to send (RTS) instead, a packet that RoCE does not have. */
  timeoutCredit: 'packet',
} as const;

/**
 * RCCC with the numbers of the reference program, the Ultra Ethernet Consortium's simulator uet-htsim.
 *
 * @param options `lineRateBps`, `baseRttPs`, and overrides of any field.
 * @throws RoceError `invalid-config`, naming the field.
 * @example
 * const parameters = rcccUet({ lineRateBps: gbps(100), baseRttPs: us(12) });
 */
export function rcccUet(options: RcccPresetOptions): RcccParameters {
  const name = 'rcccUet';
  checkLineRate(options, name);
  const { lineRateBps, baseRttPs, ...overrides } = options;
  checkField(baseRttPs, SHARED_RULES.period, `${name}.baseRttPs`);
  const fixed = { algorithm: 'rccc', maxRateBps: lineRateBps, baseRttPs };
  return validateRccc({ ...fixed, ...DEFAULTS, ...overrides }, name);
}

/** Rule of each field. */
export const RCCC_FIELD_RULES: FieldRules<RcccParameters> = {
  algorithm: oneOf('rccc'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: wholeIn(64, 65535, 'bytes'),
  baseRttPs: SHARED_RULES.period,
  maxWindowBdps: numberIn(2 ** -10, 64, 'bandwidth-delay products'),
  initialCreditBytes: wholeIn(0, WINDOW_MAX_BYTES, 'bytes'),
  timeoutCredit: oneOf('packet', 'none'),
};

const CROSS_RULES: readonly CrossRule<RcccParameters>[] = [
  {
    fields: ['initialCreditBytes', 'maxWindowBdps'],
    problem: 'must not exceed the largest window, maxWindowBdps bandwidth-delay products and at least a packet',
    holds: (p) => p.initialCreditBytes <= rcccMaxWindowBytes(p),
  },
];

/**
 * Checks RCCC parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `RcccParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateRccc(parameters: unknown, name = 'rccc'): RcccParameters {
  const checked = checkFields<RcccParameters>(parameters, RCCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** RCCC has no minimum rate: it controls credit. */
const NO_MIN_RATE = 0;

/** Maximum credit, whole bytes, at least a packet. @param p must have been validated. */
export function rcccMaxWindowBytes({ baseRttPs, maxRateBps, maxWindowBdps, packetBytes }: RcccParameters): number {
  const bdpBytes = Math.floor((baseRttPs / 1e12) * Math.floor(maxRateBps / 8));
  return Math.max(packetBytes, Math.floor(maxWindowBdps * bdpBytes));
}

/** Speculative credit of a new QP, bytes. @param p must have been validated. */
export function rcccInitialCreditBytes(p: RcccParameters): number {
  return p.initialCreditBytes === 0 ? rcccMaxWindowBytes(p) : p.initialCreditBytes;
}

/** Minimum credit after a timeout, bytes; 0 = the credit is unchanged. @param p must have been validated. */
export function rcccTimeoutCreditBytes({ timeoutCredit, packetBytes }: RcccParameters): number {
  return timeoutCredit === 'packet' ? packetBytes : 0;
}

/**
 * The parameters as engine.wasm reads them: RcccParameterSet, assembly/algorithms/rccc/transitions.ts.
 *
 * @param p must have been validated.
 */
export function rcccRecord(p: RcccParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['maxWindowBytes', rcccMaxWindowBytes(p)],
    ['initialCreditBytes', rcccInitialCreditBytes(p)],
    ['timeoutCreditBytes', rcccTimeoutCreditBytes(p)],
  ];
}

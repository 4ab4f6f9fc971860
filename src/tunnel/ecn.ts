/**
 * ECN over IP-in-IP tunnels (RFC 6040, section 4; draft-hu-rtgwg-rocev2-fcn-00, section 4.2.1, figures 5 and 6).
 *
 *   entry   outer <- inner in normal mode, Not-ECT in compatibility mode; the inner field is unchanged
 *   exit    field after decapsulation, by arriving inner (row) and outer (column) field: table `EXIT` below
 *
 * Warnings: (!!!) a combination that a correct path can't produce, potentially dangerous; (!) an unused one.
 * Traps: ECT(0) is code 2 and ECT(1) code 1, so the figure's columns are not in numerical order; an outer CE over an
 * inner Not-ECT drops the packet, including RoCEv2 packets of senders without congestion management.
 */
import { invalidArgument, requireChoice, requireField, requireRecord } from '../wire/bytes.js';

/** Codes of the ECN field (RFC 3168, section 5). */
export const ECN_NOT_ECT = 0;
/** ECN-capable transport, ECT(1). */
export const ECN_ECT_1 = 1;
/** ECN-capable transport, ECT(0). */
export const ECN_ECT_0 = 2;
/** Congestion experienced. */
export const ECN_CE = 3;
const CODES = 4;

const MODES = ['normal', 'compatibility'] as const;

/** How the tunnel ingress sets the outer field. */
export type EcnMode = (typeof MODES)[number];

/** Severity of a combination of inner and outer field: expected, (!), (!!!). */
export type EcnWarning = 'none' | 'unused-combination' | 'dangerous';

/** One cell of the decapsulation table. */
export interface EcnExit {
  /** ECN after decapsulation, 0..3, or `drop`. */
  readonly ecn: number | 'drop';
  /** Whether RFC 6040 asks to log this combination. */
  readonly warning: EcnWarning;
}

/** Packets counted at a tunnel egress, by cell. */
export interface EcnTunnelCounters {
  /** Index: inner code * 4 + outer code. */
  readonly cells: Float64Array;
}

/** Sums of the cells. */
export interface EcnTunnelTotals {
  /** All packets: `forwarded + dropped`. */
  readonly packets: number;
  /** Packets forwarded. */
  readonly forwarded: number;
  /** Packets dropped. */
  readonly dropped: number;
  /** Packets in a cell with (!). */
  readonly unusedCombination: number;
  /** Packets in a cell with (!!!), including dropped ones. */
  readonly dangerous: number;
}

/** Rows: inner code; columns: outer code; both Not-ECT, ECT(1), ECT(0), CE. */
const EXIT: readonly (readonly EcnExit[])[] = Object.freeze([
  Object.freeze([cell(ECN_NOT_ECT), danger(ECN_NOT_ECT), danger(ECN_NOT_ECT), danger('drop')]),
  Object.freeze([cell(ECN_ECT_1), cell(ECN_ECT_1), unused(ECN_ECT_1), cell(ECN_CE)]),
  Object.freeze([cell(ECN_ECT_0), cell(ECN_ECT_1), cell(ECN_ECT_0), cell(ECN_CE)]),
  Object.freeze([cell(ECN_CE), danger(ECN_CE), cell(ECN_CE), cell(ECN_CE)]),
]);

/**
 * The outer ECN field at a tunnel's ingress.
 *
 * @param inner code of the packet that enters, 0..3; the packet keeps it.
 * @throws RoceError `invalid-argument` for any other number or mode.
 */
export function encapsulateEcn(inner: number, mode: EcnMode): number {
  requireField('ecn.inner', inner, CODES - 1);
  requireChoice('ecnMode', mode, MODES);
  return mode === 'normal' ? inner : ECN_NOT_ECT;
}

/**
 * The ECN field after decapsulation at a tunnel's egress.
 *
 * @param inner code of the arriving inner header, 0..3.
 * @param outer code of the arriving outer header, 0..3.
 * @returns a frozen cell of the table, the same object each time.
 * @throws RoceError `invalid-argument` for any other number.
 */
export function decapsulateEcn(inner: number, outer: number): EcnExit {
  requireField('ecn.inner', inner, CODES - 1);
  requireField('ecn.outer', outer, CODES - 1);
  return EXIT[inner][outer];
}

/** @returns counters at zero. */
export function createEcnTunnelCounters(): EcnTunnelCounters {
  return { cells: new Float64Array(CODES * CODES) };
}

/** Like `decapsulateEcn`, and counts the packet. */
export function decapsulateEcnCounted(counters: EcnTunnelCounters, inner: number, outer: number): EcnExit {
  requireCounters(counters);
  const exit = decapsulateEcn(inner, outer);
  counters.cells[inner * CODES + outer] += 1;
  return exit;
}

/** @returns the sums of the cells by outcome and warning. */
export function totalEcnTunnelCounters(counters: EcnTunnelCounters): EcnTunnelTotals {
  requireCounters(counters);
  const { cells } = counters;
  const sumOf = (counts: (exit: EcnExit) => boolean): number =>
    cells.reduce((sum, packets, index) => {
      const exit = EXIT[Math.floor(index / CODES)][index % CODES];
      return counts(exit) ? sum + packets : sum;
    }, 0);
  return {
    packets: sumOf(() => true),
    forwarded: sumOf(({ ecn }) => ecn !== 'drop'),
    dropped: sumOf(({ ecn }) => ecn === 'drop'),
    unusedCombination: sumOf(({ warning }) => warning === 'unused-combination'),
    dangerous: sumOf(({ warning }) => warning === 'dangerous'),
  };
}

function cell(ecn: number): EcnExit {
  return Object.freeze({ ecn, warning: 'none' });
}

function unused(ecn: number): EcnExit {
  return Object.freeze({ ecn, warning: 'unused-combination' });
}

function danger(ecn: number | 'drop'): EcnExit {
  return Object.freeze({ ecn, warning: 'dangerous' });
}

function requireCounters(counters: EcnTunnelCounters): void {
  requireRecord('counters', counters);
  if (!(counters.cells instanceof Float64Array && counters.cells.length === CODES * CODES)) {
    throw invalidArgument('counters.cells', counters.cells, `a Float64Array of ${CODES * CODES}`);
  }
}

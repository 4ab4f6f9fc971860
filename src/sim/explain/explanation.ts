/**
 * The form of an explanation, and how it words numbers.
 */

import { number } from '../../error-text.js';

export type ExplanationTopic = 'pause' | 'notification' | 'fast-cnp' | 'work' | 'unfinished' | 'slow' | 'loss' | 'paths'
  | 'settings' | 'rate' | 'hazard' | 'receiver' | 'job' | 'discovery' | 'wan' | 'connection';

/** What an explanation found, by topic: a program reads it instead of the question. */
export type ExplanationCode = 'pauses-sent' | 'no-pauses' | 'senders-notified' | 'cnps-ignored' | 'no-cnps'
  | 'fast-cnps-sent' | 'no-fast-cnps' | 'control-or-pfc' | 'flows-unfinished' | 'flow-slow' | 'no-slow-flow'
  | 'packets-lost' | 'packets-retransmitted' | 'nothing-lost' | 'equal-paths-used' | 'settings-without-effect'
  | 'all-settings-used' | 'rate-changes' | 'no-rate-change' | 'deadlock' | 'pause-storm' | 'held-by-pauses'
  | 'receivers-not-ready' | 'job-duration' | 'discovery-done' | 'wan-effects' | 'messages-began';

/** Words of an explanation, and what they name, so that a page can link it. */
export interface TextPart {
  /** What is said: a part of a finding, in plain English. */
  readonly text: string;
  /** Name of the port. */
  readonly port?: string;
  /** Index of the flow. */
  readonly flow?: number;
  /** The instant, picoseconds. */
  readonly timePs?: number;
}

/** A question that a reader of the result may have, and its answer in plain English. */
export interface Explanation {
  /** Its topic. */
  readonly topic: ExplanationTopic;
  /** What was found; its figures are in `because`. */
  readonly code: ExplanationCode;
  /** The question. */
  readonly question: string;
  /** Some sentences; every number with its unit. */
  readonly answer: string;
  /** The same, finding by finding, each in parts of which some name a port, a flow or an instant. */
  readonly findings: readonly (readonly TextPart[])[];
  /** The most important part of the answer, if there is one. */
  readonly inShort?: string;
  /** The numbers on which the answer is based. */
  readonly because: readonly Reason[];
  /** Fields missing from the result that would make the answer more certain. */
  readonly missing: readonly string[];
}

export interface Reason {
  readonly what: string;
  readonly value: number | string;
  /** `bytes`, `ps`, `bps`, `share`, `packets`, `flows`, …; empty for words. */
  readonly unit: string;
}

export function reason(what: string, value: number | string, unit: string): Reason {
  return { what, value, unit };
}

const PS_UNITS = [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']] as const;
const BYTE_UNITS = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']] as const;
const BPS_UNITS = [[1e12, 'Tb/s'], [1e9, 'Gb/s'], [1e6, 'Mb/s'], [1, 'b/s']] as const;
const PERCENT = 100;

export const timeWords = (timePs: number): string => scaled(timePs, PS_UNITS);
export const bytesWords = (bytes: number): string => scaled(bytes, BYTE_UNITS);
export const rateWords = (rateBps: number): string => scaled(rateBps, BPS_UNITS);
export const percentWords = (share: number): string => `${threeDigits(PERCENT * share)} %`;

/** `1 flow`, `2 flows`. */
export function countWords(count: number, noun: string): string {
  return `${wholeWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234,567`: as in the tables. */
export function wholeWords(count: number): string {
  return number(count);
}

/** `1 packet was`, `2 packets were`. */
export function wereWords(count: number, noun: string): string {
  return `${countWords(count, noun)} ${count === 1 ? 'was' : 'were'}`;
}

function scaled(value: number, units: readonly (readonly [number, string])[]): string {
  const [size, name] = units.find(([least]) => value >= least) ?? units[units.length - 1];
  return `${threeDigits(value / size)} ${name}`;
}

function threeDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

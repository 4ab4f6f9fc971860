/** The form of an explanation. */
import type { Finding, FindingCode } from './finding.js';
import type { Reason, ReasonCode } from './reason.js';

export type { Finding, FindingCode, Reason, ReasonCode };

/** The topic of an explanation. */
export type ExplanationTopic = 'pause' | 'notification' | 'fast-cnp' | 'work' | 'unfinished' | 'slow' | 'loss' | 'paths'
  | 'settings' | 'rate' | 'hazard' | 'receiver' | 'job' | 'discovery' | 'wan' | 'connection';

/** What an explanation found, for programs to read instead of the question; ordered by topic. */
export type ExplanationCode = 'pauses-sent' | 'no-pauses' | 'senders-notified' | 'cnps-ignored' | 'no-cnps'
  | 'fast-cnps-sent' | 'no-fast-cnps' | 'control-or-pfc' | 'flows-unfinished' | 'flow-slow' | 'no-slow-flow'
  | 'packets-lost' | 'packets-retransmitted' | 'nothing-lost' | 'equal-paths-used' | 'settings-without-effect'
  | 'all-settings-used' | 'rate-changes' | 'no-rate-change' | 'deadlock' | 'pause-storm' | 'held-by-pauses'
  | 'receivers-not-ready' | 'job-duration' | 'discovery-done' | 'wan-effects' | 'messages-began' | 'uet-counts';

/** A question that a reader of the result may have, and its answer in plain English. */
export interface Explanation {
  /** The topic of the explanation. */
  readonly topic: ExplanationTopic;
  /** What was found; its figures are in `because`. */
  readonly code: ExplanationCode;
  /** The question that the explanation answers. */
  readonly question: string;
  /** The sentences of all findings; every number with its unit. */
  readonly answer: string;
  /** The findings as data, each with its sentences. */
  readonly findings: readonly Finding[];
  /** The most important part of the answer, if one is more important than the rest. */
  readonly inShort?: string;
  /** The numbers on which the answer is based. */
  readonly because: readonly Reason[];
  /** Fields missing from the result that would make the answer more certain. */
  readonly missing: readonly string[];
}

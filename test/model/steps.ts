/** Complete reports on single packets in addition to `ModelListener`, for comparison with traces of a reference. */
import type { MemoryState, Rejection } from './parts.js';

export type ModelStep = {
  readonly step: 'transmit';
  readonly flow: number;
  readonly sequence: number;
  readonly payloadBytes: number;
  readonly again: boolean;
} | {
  readonly step: 'received';
  readonly flow: number;
  readonly sequence: number;
  /** Null: no response. */
  readonly response: 'ack' | 'nak' | null;
  readonly expected: number;
  readonly marked: boolean;
  readonly outOfOrder: boolean;
} | {
  readonly step: 'response';
  readonly kind: 'ack' | 'nak';
  readonly flow: number;
  readonly sequence: number;
  readonly sackSequence: number;
  readonly sackBytes: number;
  readonly echo: boolean;
  readonly sndUna: number;
  readonly sndNxt: number;
  readonly recovering: boolean;
  readonly rateBps: number;
} | { readonly step: 'timeout'; readonly flow: number; readonly sndUna: number; readonly sndNxt: number } | {
  readonly step: 'rejected';
  readonly why: Rejection;
  readonly flow: number;
  readonly sequence: number;
  readonly arrival: number;
  readonly egress: number;
  readonly lenBytes: number;
  readonly memory: MemoryState | undefined;
} | {
  readonly step: 'stored' | 'released';
  readonly arrival: number;
  readonly egress: number;
  readonly lenBytes: number;
  readonly memory: MemoryState | undefined;
} | { readonly step: 'damaged'; readonly port: number; readonly lenBytes: number } | {
  readonly step: 'paused';
  readonly kind: 'pause' | 'resume';
  readonly port: number;
} | {
  readonly step: 'routed';
  readonly flow: number;
  readonly sequence: number;
  readonly egress: number;
  readonly choices: number;
};

/** @param node of the step; ports are numbered within the node, from 1. */
export type StepListener = (timePs: number, node: number, step: ModelStep) => void;

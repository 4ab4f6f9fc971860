/**
 * `roce-cc/codes`: named constants for the codes that the allocation-free accessors of actions and frames return.
 *
 * @packageDocumentation
 * @example
 * const { actions } = engine;
 * for (let index = 0; index < actions.length; index++) {
 *   if (actions.kindCode(index) === ACTION_CODES.rate) setRate(actions.qp(index), actions.value(index));
 * }
 */
import * as code from './abi/codes.js';
import { CAUSE_NAMES, CLASS_NAMES, OUTCOME_NAMES, type CauseName, type ClassName,
  type OutcomeName } from './abi/names.js';
import type { Action, FastCnpAcceptedAction } from './engine/actions.js';

/** Codes returned by `actions.kindCode`, by the `kind` of the action. */
export const ACTION_CODES: Readonly<Record<Action['kind'], number>> = {
  rate: code.ACTION_RATE,
  cnp: code.ACTION_CNP,
  'fast-cnp-accepted': code.ACTION_FAST_CNP_ACCEPTED,
  'fast-cnp-rejected': code.ACTION_FAST_CNP_REJECTED,
};

/** Codes returned by `actions.reasonCode` for a rate, by its `cause`. */
export const CAUSE_CODES: Readonly<Record<CauseName, number>> = CAUSE_NAMES;

/** Codes returned by `actions.reasonCode` for an accepted Fast CNP, by its `origin`. */
export const ORIGIN_CODES: Readonly<Record<FastCnpAcceptedAction['origin'], number>> = {
  receiver: code.ORIGIN_RECEIVER,
  network: code.ORIGIN_NETWORK,
};

/** Codes returned by `packets.outcomeCode`, and by `actions.reasonCode` for a rejected Fast CNP, by the `outcome` or `reason`. */
export const OUTCOME_CODES: Readonly<Record<OutcomeName, number>> = OUTCOME_NAMES;

/** Codes returned by `packets.classCode`, by the `class` of the frame. */
export const CLASS_CODES: Readonly<Record<ClassName, number>> = CLASS_NAMES;

/** Value of `packets.qpOf` for a frame without a QP. */
export const NO_QP = code.NONE;

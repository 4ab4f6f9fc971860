/** A state that createFlowControl did not make is rejected: walking its list of pauses might never end. */
import { describe, expect, it } from 'vitest';
import { applyArn, createFlowControl, expirePauses, isPaused, listPauses, nextExpiryPs,
  type FlowControlState } from '../../src/flow-control/index.js';
import { RoceError } from '../../src/index.js';
import { Arn } from '../../src/wire/index.js';

const ARN = { type: Arn.CONGESTION_DETECTED, version: 1, reserved4: 0, metric: 0, priorityId: 3, compressionTime: 10 };
const KEYS = { priorityId: 3, outer: { source: new Uint8Array(16), destination: new Uint8Array(16), protocol: 17 } };

function paused(): FlowControlState {
  const state = createFlowControl({ modes: ['priority'] });
  expect(applyArn(state, ARN, 0)).toMatchObject({ action: 'paused' });
  return state;
}

const CALLS: readonly [string, (state: FlowControlState) => unknown][] = [
  ['applyArn', (state) => applyArn(state, ARN, 1e12)],
  ['expirePauses', (state) => expirePauses(state, 1e12)],
  ['isPaused', (state) => isPaused(state, KEYS as never, 1e12)],
  ['nextExpiryPs', (state) => nextExpiryPs(state)],
  ['listPauses', (state) => listPauses(state)],
];

const FORGED: readonly [string, (state: FlowControlState) => unknown][] = [
  ['no pauses', (state) => ({ ...state, pauses: undefined })],
  ['a list without its keys', ({ pauses, ...state }) => ({ ...state, pauses: { ...pauses, byKey: new Map() } })],
  ['an endless list', ({ pauses, ...state }) => ({ ...state, pauses: { ...pauses, heap: { length: Infinity } } })],
  ['strings for keys', ({ pauses, ...state }) => ({ ...state, pauses: { ...pauses, byKey: 'x', heap: ['x'] } })],
  ['no sequence number', ({ pauses, ...state }) => ({ ...state, pauses: { ...pauses, nextSequence: NaN } })],
];

describe.each(CALLS)('%s', (_, call) => {
  it.each(FORGED)('rejects %s', (_, forge) => {
    expect(() => call(forge(paused()) as FlowControlState)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: 'state.pauses' }) as Error,
    );
  });

  it('accepts a state that createFlowControl made', () => {
    expect(() => call(paused())).not.toThrow();
  });
});

describe('a pause under the wrong key', () => {
  it('is rejected, as expiring it would never end', () => {
    const state = paused();
    const [[, entry]] = [...state.pauses.byKey];
    state.pauses.byKey.clear();
    state.pauses.byKey.set('other', entry);
    expect(() => expirePauses(state, 1e12)).toThrow(RoceError);
  });
});

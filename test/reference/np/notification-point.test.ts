import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOME_BAD_TIME, OUTCOME_CNP_DUE, OUTCOME_CNP_SUPPRESSED } from '../../../src/abi/codes.js';
import { NotificationPointModel, type DueCnp, type Mark,
  type NotificationPointParameters } from '../../../src/reference/notification-point.js';
import { us } from '../../../src/units.js';

const N = us(50);

function address(last: number): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes[15] = last;
  return bytes;
}

function mark(timePs: number, qp = 1, changes: Partial<Mark> = {}): Mark {
  return { timePs, qp, endpoint: 0, peerAddress: address(1), pKey: 0xffff, ...changes };
}

function make(changes: Partial<NotificationPointParameters> = {}) {
  const sent: DueCnp[] = [];
  const parameters: NotificationPointParameters = {
    scope: 'qp',
    window: 'suppress',
    minTimeBetweenCnpsPs: N,
    ...changes,
  };
  const model = new NotificationPointModel(parameters, (cnp) => sent.push(cnp));
  return { model, sent, times: () => sent.map((cnp) => cnp.timePs) };
}

describe('the suppressing window', () => {
  it('sends a CNP for the first mark at once, even at time 0, and no other until N later', () => {
    const { model, times } = make();
    expect(model.marked(mark(0))).toBe(OUTCOME_CNP_DUE);
    expect(model.marked(mark(1))).toBe(OUTCOME_CNP_SUPPRESSED);
    expect(model.marked(mark(N - 1))).toBe(OUTCOME_CNP_SUPPRESSED);
    expect(model.marked(mark(N))).toBe(OUTCOME_CNP_DUE);
    expect(times()).toEqual([0, N]);
    expect([model.ecnMarked, model.cnpSent, model.cnpSuppressed]).toEqual([4, 2, 2]);
  });

  it('has nothing to flush', () => {
    const { model, times } = make();
    model.marked(mark(0));
    model.marked(mark(1));
    model.flush(10 * N);
    expect(times()).toEqual([0]);
  });

  it('treats an earlier mark as inside the window', () => {
    const { model } = make();
    model.marked(mark(10 * N));
    expect(model.marked(mark(1))).toBe(OUTCOME_CNP_SUPPRESSED);
  });

  it('copies the P_Key of the mark', () => {
    const { model, sent } = make();
    model.marked(mark(5, 3, { pKey: 0x8001 }));
    expect(sent).toEqual([{ timePs: 5, qp: 3, pKey: 0x8001 }]);
  });

  it.each(['suppress', 'trailing'] as const)('of length 0 sends a CNP for every mark: %s', (window) => {
    const { model, times } = make({ window, minTimeBetweenCnpsPs: 0 });
    for (const timePs of [0, 7, 7, 3]) expect(model.marked(mark(timePs))).toBe(OUTCOME_CNP_DUE);
    expect(times()).toEqual([0, 7, 7, 3]);
  });
});

describe('the trailing window', () => {
  it('sends one CNP at its end if marks were suppressed, with the P_Key of the latest', () => {
    const { model, sent } = make({ window: 'trailing' });
    model.marked(mark(0));
    model.marked(mark(1, 1, { pKey: 1 }));
    model.marked(mark(2, 1, { pKey: 2 }));
    model.flush(N - 1);
    expect(sent).toHaveLength(1);
    model.flush(N);
    model.flush(5 * N);
    expect(sent.slice(1)).toEqual([{ timePs: N, qp: 1, pKey: 2 }]);
    expect([model.ecnMarked, model.cnpSent, model.cnpSuppressed]).toEqual([3, 2, 2]);
  });

  it('a mark in the next window sends the due trailing CNP, and is suppressed itself', () => {
    const { model, times } = make({ window: 'trailing' });
    model.marked(mark(0));
    model.marked(mark(1));
    expect(model.marked(mark(N + 10))).toBe(OUTCOME_CNP_SUPPRESSED);
    expect(times()).toEqual([0, N]);
    model.flush(2 * N);
    expect(times()).toEqual([0, N, 2 * N]);
  });

  it('a mark after both windows sends the trailing CNP, then its own', () => {
    const { model, times } = make({ window: 'trailing' });
    model.marked(mark(0));
    model.marked(mark(1));
    expect(model.marked(mark(2 * N))).toBe(OUTCOME_CNP_DUE);
    expect(times()).toEqual([0, N, 2 * N]);
    expect(model.marked(mark(3 * N - 1))).toBe(OUTCOME_CNP_SUPPRESSED);
  });

  it('flushes CNPs in order of time, then of QP', () => {
    const { model, sent } = make({ window: 'trailing' });
    for (const qp of [9, 4, 7]) model.marked(mark(qp === 7 ? 0 : 5, qp));
    for (const qp of [9, 4, 7]) model.marked(mark(6, qp));
    sent.length = 0;
    model.flush(N + 5);
    expect(sent.map((cnp) => [cnp.timePs, cnp.qp])).toEqual([[N, 7], [N + 5, 4], [N + 5, 9]]);
  });
});

describe('the scope of a window', () => {
  /** Number of CNPs for four marks at one time, from a second QP, a second peer and a second endpoint. */
  function due(scope: NotificationPointParameters['scope']): number {
    const { model, sent } = make({ scope });
    model.marked(mark(1, 1));
    model.marked(mark(1, 2));
    model.marked(mark(1, 3, { peerAddress: address(2) }));
    model.marked(mark(1, 4, { peerAddress: address(2), endpoint: 1 }));
    return sent.length;
  }

  it('is the QP, the destination or the port', () => {
    expect([due('qp'), due('destination'), due('port')]).toEqual([4, 3, 2]);
  });

  it('shared by QPs, sends the trailing CNP for the QP of the latest suppressed mark', () => {
    const { model, sent } = make({ scope: 'port', window: 'trailing' });
    for (const qp of [1, 2, 3]) model.marked(mark(1, qp));
    model.flush(2 * N);
    expect(sent.map((cnp) => cnp.qp)).toEqual([1, 3]);
  });
});

it('forget discards the window of a QP and its pending CNP', () => {
  const { model, times } = make({ window: 'trailing' });
  model.marked(mark(1));
  model.marked(mark(2));
  model.forget(mark(0));
  model.flush(5 * N);
  expect(model.marked(mark(3))).toBe(OUTCOME_CNP_DUE);
  expect(times()).toEqual([1, 3]);
});

describe('any stream of marks', () => {
  const stream = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 2 })), { maxLength: 60 });

  it.each(['suppress', 'trailing'] as const)('has CNPs of one QP at least N apart, and consistent counters: %s',
    (window) => {
      fc.assert(fc.property(stream, fc.integer({ min: 1, max: 50 }), (gaps, periodPs) => {
        const { model, sent } = make({ window, minTimeBetweenCnpsPs: periodPs });
        let timePs = 0;
        let atOnce = 0;
        for (const [gap, qp] of gaps) {
          timePs += gap;
          if (model.marked(mark(timePs, qp)) === OUTCOME_CNP_DUE) atOnce += 1;
        }
        model.flush(timePs + periodPs);
        expect(model.ecnMarked).toBe(gaps.length);
        expect(model.cnpSuppressed).toBe(gaps.length - atOnce);
        expect(model.cnpSent).toBe(sent.length);
        for (const qp of [0, 1, 2]) {
          const times = sent.filter((cnp) => cnp.qp === qp).map((cnp) => cnp.timePs);
          times.slice(1).forEach((later, index) => {
            expect(later - (times[index] ?? 0)).toBeGreaterThanOrEqual(periodPs);
          });
        }
      }), { numRuns: 200 });
    });
});

it('a mark at an invalid time is rejected and not counted', () => {
  const { model } = make();
  for (const timePs of [NaN, -1, Infinity]) expect(model.marked(mark(timePs))).toBe(OUTCOME_BAD_TIME);
  expect(model.ecnMarked).toBe(0);
});

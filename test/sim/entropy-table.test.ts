/**
 * Entropy states of MRC in kernel and model: each transition of docs/specs/mrc-transport.md, 3.8, and the choice of the
 * next entropy.
 */
import { describe, expect, it } from 'vitest';
import type { State } from '../model/standard/balancing/entropy-states.js';
import { ENTROPY_SUBJECTS, PROBE_INTERVAL_PS, type EntropySettings, type EntropySubject, type FoundBy, type Mark,
  type Probe, skipPsOf, type TrimPlace } from '../support/entropy-subjects.js';

const ACTIVE = 8;
const NUMBERS = Array.from({ length: ACTIVE }, (_, number) => number);
const STATES: readonly State[] = ['good', 'skip', 'bad', 'denied'];

/** What happens to an entropy; `probe` is one that was sent while it was ASSUMED_BAD. */
type Event = (all: EntropySubject, number: number, probe: Probe) => void;

interface Row {
  readonly event: string;
  readonly settings?: Partial<EntropySettings>;
  readonly happens: Event;
  /** Next states of GOOD, SKIP, ASSUMED_BAD and DENIED. */
  readonly next: readonly [State, State, State, State];
}

const same = ['good', 'skip', 'bad', 'denied'] as const;
const marked = ['skip', 'skip', 'bad', 'denied'] as const;
const failed = ['bad', 'bad', 'bad', 'denied'] as const;

const sack = (mark: Mark): Event => (all, number) => {
  all.sack(number, mark);
};
const trim = (at: TrimPlace): Event => (all, number) => {
  all.trim(number, at);
};
const lose = (found: FoundBy): Event => (all, number) => {
  all.lose(number, found);
};
const acknowledge = (mark: Mark): Event => (all, _, probe) => {
  all.acknowledge(probe, mark);
};

/** Advances until the rotation reaches an entropy, but not twice if others are GOOD. */
const rotate: Event = (all) => {
  for (let picks = 0; picks < ACTIVE; picks++) all.next();
};

const later: Event = (all) => {
  all.passTime(2 * PROBE_INTERVAL_PS);
  all.probe();
};

const TABLE: readonly Row[] = [
  { event: 'an unmarked SACK', happens: sack('unmarked'), next: same },
  { event: 'a marked SACK', happens: sack('marked'), next: marked },
  { event: 'a SACK with ALWAYS_SKIP', happens: sack('always-skip'), next: failed },
  { event: 'a packet trimmed in transit', happens: trim('transit'), next: marked },
  {
    event: 'a packet trimmed at its last hop',
    happens: trim('last-hop'),
    next: same,
  },
  { event: 'a timeout', happens: lose('timeout'), next: failed },
  {
    event: 'a timeout, where losses that SACKs show are taken for congestion',
    settings: { inferredLoss: 'skip' },
    happens: lose('timeout'),
    next: failed,
  },
  {
    event: 'a loss that SACKs show, taken for a failure',
    settings: { inferredLoss: 'assumed-bad' },
    happens: lose('fast'),
    next: failed,
  },
  {
    event: 'a loss that SACKs show, taken for congestion',
    settings: { inferredLoss: 'skip' },
    happens: lose('fast'),
    next: marked,
  },
  { event: 'the rotation', happens: rotate, next: ['good', 'good', 'bad', 'denied'] },
  { event: 'the rotation before the time is over', settings: { skip: 'base-rtt' }, happens: rotate, next: same },
  {
    event: 'the rotation after the time is over',
    settings: { skip: 'base-rtt' },
    happens: (all, number, probe) => {
      all.passTime(2e9);
      rotate(all, number, probe);
    },
    next: ['good', 'good', 'bad', 'denied'],
  },
  {
    event: 'a SACK of the last probe',
    happens: acknowledge('unmarked'),
    next: ['good', 'skip', 'good', 'denied'],
  },
  {
    event: 'a marked SACK of the last probe, taken for congestion',
    settings: { markedProbe: 'skip' },
    happens: acknowledge('marked'),
    next: ['good', 'skip', 'skip', 'denied'],
  },
  {
    event: 'a marked SACK of the last probe, taken for success',
    settings: { markedProbe: 'good' },
    happens: acknowledge('marked'),
    next: ['good', 'skip', 'good', 'denied'],
  },
  {
    event: 'a SACK of the last probe with ALWAYS_SKIP',
    happens: acknowledge('always-skip'),
    next: same,
  },
  { event: 'a lost probe', happens: later, next: same },
  {
    event: 'a SACK of a lost probe',
    happens: (all, number, probe) => {
      later(all, number, probe);
      all.acknowledge(probe, 'unmarked');
    },
    next: same,
  },
  {
    event: 'the controller denies it',
    happens: (all, number) => {
      all.deny(number, true);
    },
    next: ['denied', 'denied', 'denied', 'denied'],
  },
];

/** Brings an entropy into a state, by way of all states; returns the probe that was sent on the way. */
function bring(all: EntropySubject, number: number, state: State): Probe {
  all.lose(number, 'timeout');
  all.passTime(PROBE_INTERVAL_PS);
  const probe = all.probe().find((one) => one.number === number);
  if (probe === undefined) throw new Error('It is not probed.');
  if (state !== 'bad') all.deny(number, true);
  if (state === 'good' || state === 'skip') all.deny(number, false);
  if (state === 'skip') all.sack(number, 'marked');
  expect(all.stateOf(number)).toBe(state);
  return probe;
}

const statesOf = (all: EntropySubject): State[] => NUMBERS.map((number) => all.stateOf(number));

describe.each(ENTROPY_SUBJECTS)('The entropy table of the $name', ({ create }) => {
  const make = (settings: Partial<EntropySettings> = {}): EntropySubject =>
    create({ active: ACTIVE, reserve: 0, probesToReturn: 1, ...settings });

  it.each(TABLE)('has the expected state after $event', ({ settings, happens, next }) => {
    STATES.forEach((state, index) => {
      const all = make(settings);
      const others = statesOf(all).filter((_, number) => number !== 3);
      const probe = bring(all, 3, state);
      happens(all, 3, probe);
      expect(all.stateOf(3), `from ${state}`).toBe(next[index]);
      expect(statesOf(all).filter((_, number) => number !== 3)).toEqual(others);
    });
  });

  it('returns to GOOD an entropy that the controller denies and then allows', () => {
    const all = make();
    bring(all, 3, 'denied');
    all.deny(3, false);
    expect(all.stateOf(3)).toBe('good');
  });

  it('returns a bad entropy only after K consecutive acknowledged probes', () => {
    const all = make({ probesToReturn: 3 });
    all.lose(3, 'timeout');
    all.passTime(PROBE_INTERVAL_PS - 1);
    expect(all.probe()).toEqual([]);
    let timePs = 0;
    const states = (['yes', 'yes', 'no', 'yes', 'yes', 'always-skip', 'yes', 'yes', 'yes'] as const).map((answer) => {
      timePs += PROBE_INTERVAL_PS;
      all.passTime(timePs);
      const [probe] = all.probe();
      expect(all.probe()).toEqual([]);
      if (answer !== 'no') all.acknowledge(probe!, answer === 'yes' ? 'marked' : answer);
      return all.stateOf(3);
    });
    expect(states).toEqual([...Array.from({ length: 8 }, () => 'bad'), 'skip']);
  });

  it.each(['denied', 'taken back by the floor'])('ignores SACKs of probes from before an entropy was %s', (how) => {
    const all = make({ probesToReturn: 2, minActive: 1 });
    all.lose(3, 'timeout');
    all.passTime(PROBE_INTERVAL_PS);
    all.acknowledge(all.probe()[0]!, 'unmarked');
    if (how === 'denied') {
      all.deny(3, true);
      all.deny(3, false);
    } else for (const number of NUMBERS) all.lose(number, 'timeout');
    expect(all.stateOf(3)).toBe('good');
    all.lose(3, 'timeout');
    all.passTime(2 * PROBE_INTERVAL_PS);
    const probe = all.probe().find(({ number }) => number === 3)!;
    all.acknowledge(probe, 'unmarked');
    expect(all.stateOf(3)).toBe('bad');
  });

  /** The next packet has one that was GOOD, or the only one that leaves SKIP for it. */
  function pick(all: EntropySubject): number {
    const before = statesOf(all);
    const number = all.next();
    const after = statesOf(all);
    const changed = NUMBERS.filter((one) => before[one] !== after[one]);
    expect(changed.length).toBeLessThanOrEqual(1);
    for (const one of changed) expect([before[one], after[one]]).toEqual(['skip', 'good']);
    if (before[number] !== 'good') expect(changed).toEqual([number]);
    expect(after[number]).toBe('good');
    return number;
  }

  it('resets one entropy for the first packet if all are in SKIP, and the others for later packets', () => {
    const all = make();
    for (const number of NUMBERS) all.sack(number, 'marked');
    const first = pick(all);
    expect(statesOf(all)).toEqual(NUMBERS.map((number) => number === first ? 'good' : 'skip'));
    for (let packet = 1; packet < 4 * ACTIVE; packet++) pick(all);
    expect(statesOf(all)).toEqual(NUMBERS.map(() => 'good'));
  });

  it('resets at most one entropy per packet, and sends packets only with GOOD ones', () => {
    for (let states = 0; states < 3 ** 5; states++) {
      const all = make({ seed: states + 1 });
      for (let number = 0, left = states; number < 5; number++, left = Math.floor(left / 3)) {
        if (left % 3 === 1) all.sack(number, 'marked');
        if (left % 3 === 2) all.lose(number, 'timeout');
      }
      for (const number of NUMBERS.slice(6)) all.sack(number, 'marked');
      for (let packet = 0; packet < 5; packet++) pick(all);
    }
  });

  it('ends a timed SKIP at its deadline, counted from the last mark', () => {
    const all = make({ skip: 'base-rtt' });
    const isSkipped = (timePs: number): boolean => {
      all.passTime(timePs);
      rotate(all, 3, { number: 3, id: 0 });
      return all.stateOf(3) === 'skip';
    };
    const skipPs = skipPsOf({ active: ACTIVE, reserve: 0, skip: 'base-rtt' });
    expect(skipPs).toBeGreaterThan(1000);
    all.sack(3, 'marked');
    expect(isSkipped(skipPs - 1)).toBe(true);
    expect(isSkipped(skipPs)).toBe(false);
    all.sack(3, 'marked');
    expect(isSkipped(2 * skipPs - 1)).toBe(true);
    all.sack(3, 'marked');
    expect(isSkipped(2 * skipPs)).toBe(true);
    expect(isSkipped(3 * skipPs - 2)).toBe(true);
    expect(isSkipped(3 * skipPs - 1)).toBe(false);
  });

  it('uses entropies round-robin if all are in a timed SKIP, and leaves them in SKIP', () => {
    const all = make({ skip: 'base-rtt' });
    for (const number of NUMBERS) all.sack(number, 'marked');
    const used = new Set(Array.from({ length: 8 * ACTIVE }, () => all.next()));
    expect(used.size).toBeGreaterThan(ACTIVE / 2);
    expect(statesOf(all)).toEqual(NUMBERS.map(() => 'skip'));
  });

  it('restores the entropy that has been bad for longest when the minimum is reached', () => {
    const all = make({ minActive: ACTIVE - 1 });
    all.passTime(1000);
    all.lose(5, 'timeout');
    expect(all.stateOf(5)).toBe('bad');
    all.passTime(2000);
    all.lose(2, 'timeout');
    expect([all.stateOf(5), all.stateOf(2)]).toEqual(['good', 'bad']);
    all.passTime(3000);
    all.lose(2, 'timeout');
    all.lose(6, 'timeout');
    expect([all.stateOf(2), all.stateOf(6)]).toEqual(['good', 'bad']);
    // Among entropies that failed at the same time, the one in the first slot is restored.
    all.lose(2, 'timeout');
    all.lose(4, 'timeout');
    expect([2, 4, 6].map((number) => all.stateOf(number))).toEqual(['good', 'good', 'bad']);
    // Denied ones are not taken back.
    all.deny(0, true);
    expect([all.stateOf(0), all.stateOf(6)]).toEqual(['denied', 'good']);
    all.deny(1, true);
    expect(statesOf(all).filter((state) => state === 'good')).toHaveLength(ACTIVE - 2);
  });

  it('counts an entropy that returns to a slot as usable, so the minimum restores none', () => {
    const all = make({ reserve: 1, minActive: ACTIVE - 1 });
    all.lose(0, 'timeout');
    all.lose(1, 'timeout');
    all.deny(0, true);
    all.deny(0, false);
    all.lose(2, 'timeout');
    expect([0, 1, 2].map((number) => all.stateOf(number))).toEqual(['good', 'bad', 'bad']);
  });

  it('counts an entropy that was bad when it was denied as unusable once, so the minimum restores none', () => {
    const all = make({ minActive: ACTIVE - 1 });
    all.lose(0, 'timeout');
    all.deny(0, true);
    all.deny(0, false);
    all.lose(1, 'timeout');
    expect([0, 1].map((number) => all.stateOf(number))).toEqual(['good', 'bad']);
  });

  it('fills a slot with a reserve entropy even in SKIP, but not with a bad or denied one', () => {
    const all = make({ reserve: 3, minActive: 1 });
    const used = (): number[] =>
      [...new Set(Array.from({ length: 4 * ACTIVE }, () => all.next()))].sort((a, b) => a - b);
    all.lose(ACTIVE, 'timeout');
    all.deny(ACTIVE + 1, true);
    all.sack(ACTIVE + 2, 'marked');
    all.lose(3, 'timeout');
    expect(used()).toEqual([0, 1, 2, 4, 5, 6, 7, ACTIVE + 2]);
  });

  it('fills a slot with a reserve entropy of the same plane, and returns the replaced one to a free slot', () => {
    const all = make({ reserve: 4, planes: 2, minActive: 1 });
    const used = (): number[] => {
      const numbers = Array.from({ length: 4 * ACTIVE }, () => all.next());
      return [...new Set(numbers)].sort((a, b) => a - b);
    };
    all.lose(3, 'timeout');
    expect(used()).toEqual([0, 1, 2, 4, 5, 6, 7, 9]);
    all.lose(9, 'timeout');
    expect(used()).toEqual([0, 1, 2, 4, 5, 6, 7, 11]);
    all.lose(5, 'timeout');
    expect(used()).toEqual([0, 1, 2, 4, 6, 7, 11]);
    all.lose(0, 'timeout');
    expect(used()).toEqual([1, 2, 4, 6, 7, 8, 11]);
    // 0 is of the other plane, and its slot is taken: it returns to the reserve.
    all.deny(0, true);
    all.deny(0, false);
    expect(used()).toEqual([1, 2, 4, 6, 7, 8, 11]);
    all.deny(3, true);
    all.deny(3, false);
    expect(used()).toEqual([1, 2, 3, 4, 6, 7, 8, 11]);
    all.deny(1, true);
    expect(used()).toEqual([2, 3, 4, 6, 7, 8, 11]);
    all.deny(5, true);
    all.deny(5, false);
    expect(used()).toEqual([2, 3, 4, 5, 6, 7, 8, 11]);
  });
});

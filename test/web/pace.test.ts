import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttled, inNextFrame } from '../../src/view/charts/dom.js';
import type { RunState } from '../../web/page/run-client.js';
import { redrawWaitMs, type PacedRun } from '../../web/page/run-pace.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('Work before the next frames', () => {
  /** Names of what was done, frame by frame. */
  function framesOf(schedule: (note: (name: string) => () => void) => void): string[][] {
    const callbacks: (() => void)[] = [];
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => callbacks.push(callback));
    let done: string[] = [];
    schedule((name) => () => {
      done.push(name);
    });
    const frames: string[][] = [];
    for (let next = callbacks.shift(); next !== undefined; next = callbacks.shift()) {
      next();
      frames.push(done);
      done = [];
    }
    return frames;
  }

  it('runs as two draws per frame, together with short work', () => {
    const frames = framesOf((note) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) inNextFrame(note(name), { isPicture: true });
      inNextFrame(note('words'));
    });
    expect(frames).toEqual([['a', 'b'], ['c', 'd'], ['e', 'words']]);
  });

  it('ends its frame if it is long', () => {
    const frames = framesOf((note) => {
      for (const name of ['a', 'b']) {
        inNextFrame(() => {
          vi.advanceTimersByTime(6);
          note(name)();
        });
      }
    });
    expect(frames).toEqual([['a'], ['b']]);
  });

  it('is skipped without a frame if newer work replaces it', () => {
    let newest = 1;
    const frames = framesOf((note) => {
      for (const name of ['old a', 'old b', 'old c'])
        inNextFrame(note(name), { isPicture: true, isWanted: () => newest === 1 });
      newest = 2;
      inNextFrame(note('new'), { isPicture: true, isWanted: () => newest === 2 });
    });
    expect(frames).toEqual([['new']]);
  });
});

describe('A throttled call', () => {
  it('runs immediately, then at intervals, and always after the last request', () => {
    const calls: number[] = [];
    const begunMs = performance.now();
    const call = throttled(40, () => {
      calls.push(performance.now() - begunMs);
    });
    call();
    vi.advanceTimersByTime(10);
    call();
    call();
    vi.advanceTimersByTime(100);
    call();
    vi.advanceTimersByTime(100);
    expect(calls).toEqual([0, 40, 110]);
  });
});

describe('The drawing of a run in progress', () => {
  const client = (state: RunState, beganMs: number): PacedRun => ({ state: { value: state }, beganMs });
  const nowMs = (): number => performance.now();

  it('waits while the run may be short, then for the next draw', () => {
    expect(redrawWaitMs([client('running', nowMs())], -Infinity)).toBe(400);
    expect(redrawWaitMs([client('running', nowMs() - 350)], nowMs())).toBe(120);
    expect(redrawWaitMs([client('running', nowMs() - 900)], nowMs() - 30)).toBe(90);
    expect(redrawWaitMs([client('running', nowMs() - 900)], nowMs() - 130)).toBe(0);
  });

  it('waits for the older of two runs, and never for the result', () => {
    expect(redrawWaitMs([client('running', nowMs() - 100), client('running', nowMs() - 300)], -Infinity)).toBe(100);
    expect(redrawWaitMs([client('done', nowMs()), client('paused', nowMs())], nowMs())).toBe(0);
  });
});

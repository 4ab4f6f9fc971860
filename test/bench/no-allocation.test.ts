import { describe, expect, it } from 'vitest';
import { measureAllocation } from '../../bench/support/allocation.js';

describe('the batch path', () => {
  it('allocates nothing per event over ten million events', () => {
    const { events, bytesPerEvent } = measureAllocation(1e7);
    expect(events).toBeGreaterThanOrEqual(1e7);
    // Heap statistics and the test runner allocate a few kilobytes in total; one boxed number per event would be
    // 12 bytes per event.
    expect(bytesPerEvent).toBeLessThan(0.25);
  });
});

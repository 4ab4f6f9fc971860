/** The demo over UDP sockets, in real time: a few seconds per test. */
import { describe, expect, it } from 'vitest';
import { runUdpDemo } from '../../src/live/demo/run-demo.js';

describe('the demo over UDP sockets on the loopback', () => {
  for (const mode of ['dcqcn', 'dcqcn-fast-cnp'] as const) {
    it(`runs the incast under ${mode}, and accounts for every frame at each interface`, async () => {
      const result = await runUdpDemo({ mode, rateBps: 50e6, seconds: 4 });
      expect(result.goodputsBps.length).toBe(16);
      expect(result.interfaces.reduce((sum, one) => sum + one.in, 0)).toBeGreaterThan(100);
      for (const one of result.interfaces) expect(one.in).toBe(one.forwarded + one.ended + one.droppedIn);
      expect(result).toMatchObject({ unaccounted: 0, rejected: 0 });
      expect(result.cnpsSent > 0).toBe(mode === 'dcqcn');
      expect(result.fastCnps > 0).toBe(mode === 'dcqcn-fast-cnp');
      // Leaves a margin for a busy machine; an idle one reaches 0.99 in the same time.
      expect(result.fairness).toBeGreaterThan(0.9);
      expect(result.fastCnpsReceived <= result.fastCnps).toBe(true);
    }, 30_000);
  }

  it('rejects rates and times out of range by name', async () => {
    await expect(runUdpDemo({ mode: 'dcqcn', rateBps: 5e6, seconds: 2 })).rejects.toMatchObject({
      code: 'invalid-config',
      where: 'options.rateBps',
    });
    await expect(runUdpDemo({ mode: 'dcqcn', rateBps: 20e6, seconds: NaN })).rejects.toMatchObject({
      where: 'options.seconds',
    });
  });
});

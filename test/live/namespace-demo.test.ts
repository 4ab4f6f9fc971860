/** The demo between network namespaces: frames on veth, counters of all interfaces, and cleanup however it ends. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { runNamespaceDemo, type DemoResult } from '../../src/live/index.js';
import { startInBackground } from '../cli/support/process.js';
import { holdersOf, namespacesHeldBy, ownNamespace } from './support/namespace-holders.js';
import { describeWithNamespaces, ip } from './support/namespaces.js';

/** Leaves a margin for a busy machine; an idle one reaches 0.99 in the same time. */
const FAIRNESS = 0.9;

/** Numbers and names of interfaces from `ip -o link`; a recreated interface has another number. */
function linkNames(): string[] {
  return ip('-o', 'link').split('\n').map((line) => line.split(':', 2).join(':'));
}

function expectBalance(result: DemoResult): void {
  for (const one of result.interfaces) expect(one.in).toBe(one.forwarded + one.ended + one.droppedIn);
  const sum = (of: (one: (typeof result.interfaces)[number]) => number): number =>
    result.interfaces.reduce((all, one) => all + of(one), 0);
  expect(sum((one) => one.enqueued + one.made)).toBe(sum((one) => one.out + one.droppedOut) + result.queued);
  expect(result).toMatchObject({ unaccounted: 0, lostOnLinks: 0 });
}

describeWithNamespaces('the demo between network namespaces', () => {
  for (const mode of ['dcqcn', 'dcqcn-fast-cnp'] as const) {
    it(`runs the incast under ${mode}, shares the link, and accounts for every frame`, async () => {
      const links = linkNames();
      const [namespace, held] = [ownNamespace(), namespacesHeldBy('self')];
      const result = await runNamespaceDemo({ mode, rateBps: 50e6, seconds: 4 });
      expectBalance(result);
      expect(result.interfaces).toHaveLength(17);
      expect(result.marks > 20).toBe(mode === 'dcqcn');
      expect(result.cnpsReceived > 20).toBe(mode === 'dcqcn');
      expect(result.fastCnpsReceived > 20).toBe(mode === 'dcqcn-fast-cnp');
      expect(result.fairness).toBeGreaterThan(FAIRNESS);
      expect(ownNamespace()).toBe(namespace);
      // Other tests, in threads of this process, hold and release namespaces too.
      await expect.poll(() => namespacesHeldBy('self').filter((one) => !held.includes(one)), { timeout: 20_000 })
        .toEqual([]);
      await expect.poll(() => linkNames().filter((name) => !links.includes(name)), { timeout: 20_000 }).toEqual([]);
    }, 60_000);
  }

  it('leaves nothing behind if it fails', async () => {
    const before = namespacesHeldBy('self');
    let during: string[] = [];
    const failing = runNamespaceDemo({
      mode: 'dcqcn',
      rateBps: 20e6,
      seconds: 20,
      onView: () => {
        during = namespacesHeldBy('self');
        throw new Error('no observer');
      },
    });
    await expect(failing).rejects.toThrow('no observer');
    expect(during.length).toBeGreaterThanOrEqual(before.length + 2);
    expect(namespacesHeldBy('self')).toEqual(before);
  }, 60_000);

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    it(`leaves nothing behind after ${signal}`, async () => {
      const child = startInBackground(['live', 'demo', '--over', 'namespaces', '--rate', '20Mbps', '--json'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let printed = '';
      child.stdout!.on('data', (bytes: Buffer) => printed += bytes.toString());
      const made = (): string[] => namespacesHeldBy(child.pid!);
      await expect.poll(() => made().length, { timeout: 20_000 }).toBe(3);
      const namespaces = made();
      // `ip`, which creates the interfaces, is in the namespace for a moment.
      await expect.poll(() => holdersOf(namespaces), { timeout: 20_000 }).toEqual([String(child.pid)]);
      // Gives the interfaces, the ports and the loop time to start.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      child.kill(signal);
      await once(child, 'close');
      expect(holdersOf(namespaces)).toEqual([]);
      if (signal === 'SIGKILL') expect(child.signalCode).toBe(signal);
      else expectBalance(JSON.parse(printed) as DemoResult);
    }, 60_000);
  }
});

/**
 * The demo between network namespaces: real interfaces and frames. Linux, as root or with CAP_SYS_ADMIN and
 * CAP_NET_ADMIN.
 */
import { startLiveClock } from '../clock/live-clock.js';
import type { DemoResult } from './demo-meter.js';
import { demoPlan, linksOf, runIncast, checkDemoOptions, type DemoOptions } from './incast.js';
import { NamespaceLinks } from './namespace-links.js';

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, between network namespaces,
 * over veth and packet sockets. The namespaces are unnamed and held only by this process, so they and their interfaces
 * disappear with it, even after SIGKILL.
 *
 * @throws RoceError `invalid-config` for options out of range; `unsupported` if namespaces cannot be created: no Linux,
 * no koffi, no `ip` of iproute2, or no permission.
 * @example
 * const { worst, unaccounted } = await runNamespaceDemo({ mode: 'dcqcn', rateBps: 50e6, seconds: 8 });
 */
export async function runNamespaceDemo(options: DemoOptions): Promise<DemoResult> {
  checkDemoOptions(options);
  const plan = demoPlan(options);
  const clock = startLiveClock();
  const opened = await NamespaceLinks.open(linksOf(plan), clock);
  try {
    return await runIncast(options, plan, opened.links, clock);
  } finally {
    opened.close();
  }
}

/** The demo between network namespaces: real interfaces, frames on a wire. Linux, as root or with CAP_SYS_ADMIN and CAP_NET_ADMIN. */
import { startLiveClock } from '../clock/live-clock.js';
import type { DemoResult } from './demo-meter.js';
import { demoPlan, linksOf, runIncast } from './incast.js';
import { NamespaceLinks } from './namespace-links.js';
import { checkDemoOptions, type DemoOptions } from './options.js';

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, between network namespaces, over
 * veth and packet sockets. The namespaces have no names, and only this process holds them: neither they nor their
 * interfaces remain, however it ends, even by SIGKILL.
 *
 * @throws RoceError `invalid-config` for options out of range; `unsupported` if namespaces can not be created: no Linux, no
 *   koffi, no `ip` of iproute2, or no permission.
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

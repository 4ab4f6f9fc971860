/**
 * Runs the demo over two kinds of links. UDP sockets on the loopback need no permissions, and show the complete loop:
 * frames, marks, CNPs, Fast CNPs, rates. Network namespaces have real interfaces and frames, and need Linux, as root or
 * with CAP_SYS_ADMIN and CAP_NET_ADMIN.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { RoceError } from '../../errors.js';
import { startLiveClock, type LiveClock } from '../ports/frame-port.js';
import { loadLibc, type Libc } from '../ports/linux/libc.js';
import { NetworkNamespace } from '../ports/linux/network-namespace.js';
import { openPacketPortIn } from '../ports/linux/packet-port.js';
import { openUdpPair } from '../ports/udp-port.js';
import { checkDemoOptions, type DemoLink, type DemoOptions, demoPlan, type DemoResult, linksOf,
  runIncast } from './incast.js';

const SEND_FRAMES = 8192;
/** Small blocks, each returned after 1 ms; they buffer more than 100 ms during which Node does not read. */
const RING = { blockBytes: 8192, blocks: 256, blockTimeoutMs: 1, sendFrames: 1024, sendFrameBytes: 2048 };
const IP_TIMEOUT_MS = 20_000;
const NO_IPV6 = ['all', 'default'].map((which) => `/proc/sys/net/ipv6/conf/${which}/disable_ipv6`);
const WHERE = 'namespaces';

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, over UDP sockets on the
 * loopback, and returns the result. It leaves nothing behind, even if it is killed.
 *
 * @throws RoceError `invalid-config` for options out of range.
 */
export async function runUdpDemo(options: DemoOptions): Promise<DemoResult> {
  checkDemoOptions(options);
  const plan = demoPlan(options);
  const clock = startLiveClock();
  const links: DemoLink[] = [];
  try {
    while (links.length < linksOf(plan)) links.push(await openLink(clock));
    return await runIncast(options, plan, links, clock);
  } finally {
    for (const { atSwitch, atHost } of links) {
      atSwitch.close();
      atHost.close();
    }
  }
}

async function openLink(clock: LiveClock): Promise<DemoLink> {
  const [atSwitch, atHost] = await openUdpPair({ clock, sendFrames: SEND_FRAMES });
  return { atSwitch, atHost };
}

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

/**
 * The demo's links: one namespace for the senders, one for the switch, one for the receiver, connected by veth pairs.
 * `ip` of iproute2 creates the interfaces, once per namespace. IPv6 is off, because neighbour discovery would add frames.
 */
class NamespaceLinks {
  readonly links: DemoLink[] = [];
  readonly #spaces: NetworkNamespace[] = [];

  /**
   * @param count number of links; the last one is the receiver's.
   * @throws RoceError `unsupported` without Linux, koffi, `ip`, or permission.
   */
  static async open(count: number, clock: LiveClock): Promise<NamespaceLinks> {
    const libc = await loadLibc('the demo in namespaces');
    const opened = new NamespaceLinks();
    try {
      await opened.#make(libc, count, clock);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  close(): void {
    for (const { atSwitch, atHost } of this.links.splice(0)) {
      atSwitch.close();
      atHost.close();
    }
    for (const space of this.#spaces.splice(0)) space.close();
  }

  async #make(libc: Libc, count: number, clock: LiveClock): Promise<void> {
    const [atSwitch, senders, receiver] = [this.#space(libc), this.#space(libc), this.#space(libc)];
    const spaceOf = (link: number): NetworkNamespace => (link === count - 1 ? receiver : senders);
    const all = Array.from({ length: count }, (_, link) => link);
    runIp(atSwitch, all.flatMap((link) => [
      `link add s${link} type veth peer name h${link} netns ${spaceOf(link).path}`,
      `link set s${link} up arp off`,
    ]));
    for (const space of [senders, receiver]) {
      runIp(space, all.filter((link) => spaceOf(link) === space).map((link) => `link set h${link} up arp off`));
    }
    for (const link of all) {
      const near = await openPacketPortIn(atSwitch, `s${link}`, { ...RING, clock });
      try {
        const far = await openPacketPortIn(spaceOf(link), `h${link}`, { ...RING, clock });
        this.links.push({ atSwitch: near, atHost: far });
      } catch (error) {
        near.close();
        throw error;
      }
    }
  }

  #space(libc: Libc): NetworkNamespace {
    const space = new NetworkNamespace(libc);
    this.#spaces.push(space);
    space.within(() => {
      for (const file of NO_IPV6) tryWrite(file, '1');
    });
    return space;
  }
}

function runIp(space: NetworkNamespace, commands: readonly string[]): void {
  try {
    space.within(() => {
      execFileSync('ip', ['-batch', '-'], {
        input: `${commands.join('\n')}\n`,
        stdio: ['pipe', 'ignore', 'pipe'],
        timeout: IP_TIMEOUT_MS,
      });
    });
  } catch (cause) {
    if (cause instanceof RoceError) throw cause;
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new RoceError('unsupported', {
      what: 'the program `ip`',
      problem: isMissing ? 'is not installed' : 'could not make interfaces',
      cause,
      where: WHERE,
      ...(isMissing && { hint: 'Install iproute2' }),
    });
  }
}

/**
 * Failure is ignored: the kernel may lack IPv6, or a container the permission; then a few kernel frames pass the switch
 * too.
 */
function tryWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // Best effort.
  }
}

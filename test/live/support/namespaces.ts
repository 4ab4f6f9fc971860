/**
 * Pairs of network namespaces, joined by veth, which a test creates, enters with its thread, and removes. Names contain
 * process and thread ids, so that concurrent test files and the machine's namespaces don't conflict.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { threadId } from 'node:worker_threads';
import type KoffiModule from 'koffi';
import { describeNeeding } from '../../support/foreign-tools.js';

const CLONE_NEWNET = 0x40000000;
const O_RDONLY_CLOEXEC = 0o2000000;
/** Includes the thread id, since test files run in threads of one process. */
const OWN = `roce${process.pid}t${threadId}`;
let count = 0;

interface Calls {
  open(path: string, flags: number): number;
  setns(fd: number, kind: number): number;
  close(fd: number): number;
}

const UP_MS = 30_000;

/** Two namespaces; `left0` in one is joined with `right0` in the other. */
export class NamespacePair {
  readonly left: string;
  readonly right: string;
  readonly #calls: Calls;
  readonly #home: number;

  constructor() {
    const stem = `${OWN}x${count++}`;
    this.left = `${stem}l`;
    this.right = `${stem}r`;
    this.#calls = systemCalls();
    this.#home = this.#calls.open('/proc/thread-self/ns/net', O_RDONLY_CLOEXEC);
    ip('netns', 'add', this.left);
    ip('netns', 'add', this.right);
    this.join();
  }

  /** Creates the pair of interfaces, up, with addresses and without neighbor discovery, which would add frames. */
  join(): void {
    for (const name of [this.left, this.right]) {
      run('ip', 'netns', 'exec', name, 'sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1',
        'net.ipv6.conf.default.disable_ipv6=1');
    }
    ip('-n', this.left, 'link', 'add', 'left0', 'type', 'veth', 'peer', 'name', 'right0', 'netns', this.right);
    ip('-n', this.left, 'link', 'set', 'left0', 'up', 'arp', 'off', 'mtu', '9500');
    ip('-n', this.right, 'link', 'set', 'right0', 'up', 'arp', 'off', 'mtu', '9500');
    this.awaitUp(0);
  }

  /** Creates a second pair of interfaces, `left1` and `right1`. */
  twin(): void {
    ip('-n', this.left, 'link', 'add', 'left1', 'type', 'veth', 'peer', 'name', 'right1', 'netns', this.right);
    ip('-n', this.left, 'link', 'set', 'left1', 'up', 'arp', 'off', 'mtu', '9500');
    ip('-n', this.right, 'link', 'set', 'right1', 'up', 'arp', 'off', 'mtu', '9500');
    this.awaitUp(1);
  }

  /** Waits until the kernel has activated both ends of a pair of interfaces; it drops frames that are sent before. */
  awaitUp(pair: 0 | 1): void {
    const until = Date.now() + UP_MS;
    const isUp = (): boolean =>
      ip('-n', this.left, 'link', 'show', `left${pair}`).includes('state UP') &&
      ip('-n', this.right, 'link', 'show', `right${pair}`).includes('state UP');
    while (!isUp()) if (Date.now() > until) throw new Error(`left${pair} and right${pair} do not come up`);
  }

  /** Runs `body` in a namespace; sockets opened there stay in it. */
  async within<T>(name: string, body: () => Promise<T>): Promise<T> {
    this.enter(name);
    try {
      return await body();
    } finally {
      this.leave();
    }
  }

  enter(name: string): void {
    const fd = this.#calls.open(`/run/netns/${name}`, O_RDONLY_CLOEXEC);
    const result = this.#calls.setns(fd, CLONE_NEWNET);
    this.#calls.close(fd);
    if (result !== 0) throw new Error(`can not enter ${name}`);
  }

  leave(): void {
    this.#calls.setns(this.#home, CLONE_NEWNET);
  }

  remove(): void {
    this.leave();
    this.#calls.close(this.#home);
    ip('netns', 'del', this.left);
    ip('netns', 'del', this.right);
  }
}

/** Runs `ip` of iproute2. */
export function ip(...args: readonly string[]): string {
  return run('ip', ...args);
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
}

function systemCalls(): Calls {
  const koffi = createRequire(import.meta.url)('koffi') as typeof KoffiModule;
  const library = koffi.load(null);
  return {
    open: library.func('int open(const char *path, int flags)') as unknown as Calls['open'],
    setns: library.func('int setns(int fd, int kind)') as unknown as Calls['setns'],
    close: library.func('int close(int fd)') as unknown as Calls['close'],
  };
}

/** Why interfaces cannot be opened here; undefined if they can. */
export function whyNoInterfaces(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  try {
    const name = `${OWN}probe`;
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return undefined;
  } catch {
    return '`ip netns add` does not work';
  }
}

/** A `describe` for tests that need namespaces. */
export function describeWithNamespaces(title: string, body: () => void): void {
  describeNeeding(whyNoInterfaces(), title, body);
}

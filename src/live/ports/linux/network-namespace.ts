/**
 * An unnamed network namespace that only this process holds, by a descriptor (namespaces(7), network_namespaces(7)).
 * The kernel removes it, with all its interfaces, when it is closed or the process ends in any way.
 *
 * A thread is in one network namespace at a time. Node's thread is in this one while the body of `within` runs, so the
 * body must not wait.
 */
import { type Libc, systemError } from './libc.js';

const CLONE_NEWNET = 0x40000000;
const O_RDONLY_CLOEXEC = 0o2000000;
const OWN_NAMESPACE = '/proc/thread-self/ns/net';
const WHERE = 'a network namespace';

export class NetworkNamespace {
  readonly #libc: Libc;
  readonly #homeFd: number;
  #fd: number;

  /** @throws RoceError `unsupported` if the system does not permit it. */
  constructor(libc: Libc) {
    this.#libc = libc;
    this.#homeFd = openNamespace(libc);
    if (libc.unshare(CLONE_NEWNET) !== 0) {
      const error = systemError('making a network namespace', libc.errno(), WHERE);
      libc.close(this.#homeFd);
      throw error;
    }
    try {
      this.#fd = openNamespace(libc);
    } finally {
      libc.setns(this.#homeFd, CLONE_NEWNET);
    }
  }

  /** Path by which other processes of this user can refer to it while it is open. */
  get path(): string {
    return `/proc/${process.pid}/fd/${this.#fd}`;
  }

  /** Runs the body in this namespace: sockets and processes that it creates belong to it. */
  within<T>(body: () => T): T {
    if (this.#libc.setns(this.#fd, CLONE_NEWNET) !== 0) {
      throw systemError('entering a network namespace', this.#libc.errno(), WHERE);
    }
    try {
      return body();
    } finally {
      this.#libc.setns(this.#homeFd, CLONE_NEWNET);
    }
  }

  close(): void {
    if (this.#fd < 0) return;
    this.#libc.close(this.#fd);
    this.#libc.close(this.#homeFd);
    this.#fd = -1;
  }
}

function openNamespace(libc: Libc): number {
  const fd = libc.open(OWN_NAMESPACE, O_RDONLY_CLOEXEC);
  if (fd < 0) throw systemError(`opening ${OWN_NAMESPACE}`, libc.errno(), WHERE);
  return fd;
}

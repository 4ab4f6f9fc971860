/**
 * The C library calls that ports use, through koffi, with their errors and the memory that the kernel reads or writes
 * asynchronously. Pointers are numbers.
 */
import type koffi from 'koffi';
import { getSystemErrorName } from 'node:util';
import { RoceError } from '../../../errors.js';

type Koffi = typeof koffi;

/** An address in the process's memory. */
type Pointer = bigint;
type Bytes = Uint8Array | Pointer;

/** C library functions: they return the result of the system call, or −1 with the error number in `errno`. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  open(path: string, flags: number): number;
  close(fd: number): number;
  bind(fd: number, address: Uint8Array, lenBytes: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, lenBytes: number): number;
  getsockopt(fd: number, level: number, name: number, value: Uint8Array, lenBytes: Uint8Array): number;
  ioctl(fd: number, request: number, argument: Uint8Array): number;
  read(fd: number, bytes: Bytes, lenBytes: number): number;
  write(fd: number, bytes: Bytes, lenBytes: number): number;
  sendmmsg(fd: number, messages: Pointer, count: number, flags: number): number;
  mmap(lenBytes: number, protection: number, flags: number, fd: number): Pointer;
  munmap(pointer: Pointer, lenBytes: number): number;
  ifIndex(name: string): number;
  unshare(flags: number): number;
  setns(fd: number, kind: number): number;
  eventfd(): number;
  /** Waits on a koffi thread; resolves to the number of ready descriptors, or −1. */
  pollAsync(fds: Pointer, count: number, timeoutMs: number): Promise<number>;
  /** The error number of the last call. */
  errno(): number;
  /** A view of memory at an address, without copying. */
  view(pointer: Pointer, lenBytes: number): ArrayBuffer;
}

type MemoryMap = (at: null, lenBytes: number, protection: number, flags: number, fd: number, offset: number) => Pointer;

/** Non-blocking, close-on-exec. */
const EFD_FLAGS = 0o2004000;

let loaded: Promise<Libc> | undefined;

const EPERM = 1;
export const EINTR = 4;
export const EIO = 5;
export const ENXIO = 6;
export const EAGAIN = 11;
const EACCES = 13;
export const ENODEV = 19;
export const EMSGSIZE = 90;
export const ENETDOWN = 100;
export const ENOBUFS = 105;
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE_ANONYMOUS = 0x22;
/** Return value of mmap(2) on failure, MAP_FAILED. */
const FAILED = 2n ** 64n - 1n;
const NO_FD = -1;

/** Loads koffi, an optional peer dependency. @throws RoceError `unsupported` without Linux or koffi. */
export function loadLibc(where: string): Promise<Libc> {
  // A failure is not cached, since the package may be installed in the meantime.
  loaded ??= loadKoffi(where).then(bindLibc).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

function bindLibc(koffi: Koffi): Libc {
  const library = koffi.load(null);
  // koffi's functions are untyped; the types of `Libc` repeat the C declarations.
  const declare = (definition: string): never => library.func(definition) as never;
  const mmap: MemoryMap = declare('void *mmap(void *at, size_t len, int prot, int flags, int fd, int64_t offset)');
  const poll = library.func('int poll(void *fds, unsigned long count, int timeoutMs)');
  const eventfd: (initial: number, flags: number) => number = declare('int eventfd(unsigned int initial, int flags)');
  return {
    socket: declare('int socket(int domain, int type, int protocol)'),
    open: declare('int open(const char *path, int flags)'),
    close: declare('int close(int fd)'),
    bind: declare('int bind(int fd, void *address, uint32_t len)'),
    setsockopt: declare('int setsockopt(int fd, int level, int name, void *value, uint32_t len)'),
    getsockopt: declare('int getsockopt(int fd, int level, int name, void *value, void *len)'),
    ioctl: declare('int ioctl(int fd, unsigned long request, void *argument)'),
    read: declare('int64_t read(int fd, void *bytes, size_t len)'),
    write: declare('int64_t write(int fd, void *bytes, size_t len)'),
    sendmmsg: declare('int sendmmsg(int fd, void *messages, unsigned int count, int flags)'),
    munmap: declare('int munmap(void *at, size_t len)'),
    unshare: declare('int unshare(int flags)'),
    setns: declare('int setns(int fd, int kind)'),
    ifIndex: declare('unsigned int if_nametoindex(const char *name)'),
    mmap: (lenBytes, protection, flags, fd) => mmap(null, lenBytes, protection, flags, fd, 0),
    eventfd: () => eventfd(0, EFD_FLAGS),
    pollAsync: (fds, count, timeoutMs) =>
      new Promise((resolve, reject) => {
        poll.async(fds, count, timeoutMs, (error: unknown, result: number) => {
          if (error instanceof Error) reject(error);
          else resolve(result);
        });
      }),
    errno: () => koffi.errno(),
    view: (pointer, lenBytes) => koffi.view(pointer, lenBytes),
  };
}

async function loadKoffi(where: string): Promise<Koffi> {
  const { platform } = process;
  if (platform !== 'linux') {
    throw new RoceError('unsupported', { what: 'the system', got: platform, allowed: ['linux'], where });
  }
  try {
    const module = await import('koffi');
    return module.default;
  } catch (error) {
    throw new RoceError('unsupported', {
      what: where,
      problem: 'needs the package koffi',
      cause: error,
      where,
      hint: 'Install it next to roce-cc: npm install koffi',
    });
  }
}

/** Name of an error number: `EPERM` for 1. */
function errorName(errno: number): string {
  try {
    return getSystemErrorName(-errno);
  } catch {
    return `error ${errno}`;
  }
}

/** Error of a failed system call: the operation, the name of the error, and how to grant a missing permission. */
export function systemError(what: string, errno: number, where: string): RoceError {
  if (errno === EPERM || errno === EACCES) return permissionError(what, errno, where);
  return new RoceError('unsupported', { what, problem: `failed with ${errorName(errno)}`, where });
}

/** Error naming the missing capability, and the command that grants it. */
function permissionError(what: string, errno: number, where: string): RoceError {
  return new RoceError('unsupported', {
    what,
    problem: `is not permitted (${errorName(errno)}): the process has no CAP_NET_RAW and CAP_NET_ADMIN`,
    where,
    hint: `Grant them with: sudo setcap cap_net_raw,cap_net_admin+ep ${process.execPath}; or run the command by sudo`,
  });
}

/**
 * Memory shared by the kernel and JavaScript, which garbage collection does not move: mapped from a file or socket, or
 * anonymous.
 */
export class NativeMemory {
  readonly pointer: Pointer;
  readonly lenBytes: number;
  readonly bytes: Uint8Array;
  readonly #libc: Libc;
  #mapped = true;

  /** @throws RoceError `unsupported` if the system cannot provide it. */
  constructor(libc: Libc, lenBytes: number, fd: number, what: string) {
    this.#libc = libc;
    const flags = fd === NO_FD ? MAP_PRIVATE_ANONYMOUS : MAP_SHARED;
    const pointer = BigInt.asUintN(64, libc.mmap(lenBytes, PROT_READ_WRITE, flags, fd));
    if (pointer === FAILED) throw systemError(`${what}: mmap of ${lenBytes} bytes`, libc.errno(), what);
    this.pointer = pointer;
    this.lenBytes = lenBytes;
    this.bytes = new Uint8Array(libc.view(pointer, lenBytes));
  }

  /** Allocates private memory of this process, zeroed. */
  static anonymous(libc: Libc, lenBytes: number, what: string): NativeMemory {
    return new NativeMemory(libc, lenBytes, NO_FD, what);
  }

  /** Unmaps the memory; its views must not be used afterwards. */
  free(): void {
    if (this.#mapped) this.#libc.munmap(this.pointer, this.lenBytes);
    this.#mapped = false;
  }
}

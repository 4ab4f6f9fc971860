/**
 * The C library calls that ports use, through koffi. Pointers are numbers. Everything that the kernel reads or writes
 * asynchronously is in `NativeMemory`, which garbage collection does not move.
 */
import { loadKoffi, type Koffi } from './load-koffi.js';

/** An address in the process's memory. */
export type Pointer = bigint;
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

/** @throws RoceError as `loadKoffi`. */
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

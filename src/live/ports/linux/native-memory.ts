/** Memory shared by the kernel and JavaScript: mapped from a file or socket, or anonymous. */
import { type Libc, type Pointer, systemError } from './libc.js';

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE_ANONYMOUS = 0x22;
/** Return value of mmap(2) on failure, MAP_FAILED. */
const FAILED = 2n ** 64n - 1n;
const NO_FD = -1;

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

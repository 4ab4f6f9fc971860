/**
 * A TAP device as a port: frames that the host sends to the device are received here, and frames sent here reach the
 * host. The device is created on opening and removed when the port is closed, unless it existed before. Linux only,
 * with koffi; needs CAP_NET_ADMIN, or a device created for the user (`ip tuntap add dev NAME mode tap user USER`).
 *
 * One call of read(2) or write(2) for each frame. A device that is down rejects frames (EIO), which is counted.
 */
import { checkRecord, wholeIn, type FieldRules, resolveOptions } from '../../../config/field-rules.js';
import { startLiveClock, type LiveClock, type FrameBatch, type FramePort, type FramePortStats, type PollTarget,
  PortCounters } from '../frame-port.js';
import { requireBatch, requireClock, requireFrame, requireTimeout, interfaceName } from '../checks.js';
import { loadLibc, type Libc, EAGAIN, EINTR, EIO, EMSGSIZE, systemError, NativeMemory } from './libc.js';
import { Poller } from './port-waiter.js';

/** Options of a TAP device. */
export interface TapPortOptions {
  /** Maximum frame length, 14 to 65,535 bytes. Default 65,535. */
  readonly frameBytes?: number | undefined;
  /** Clock that frame times refer to. Default: a separate clock. */
  readonly clock?: LiveClock | undefined;
}

interface Settings {
  readonly frameBytes: number;
}

const RULES: FieldRules<Settings> = { frameBytes: wholeIn(14, 65_535, 'bytes') };
const DEFAULTS: Settings = { frameBytes: 65_535 };
const DEVICE = '/dev/net/tun';
/** O_RDWR, O_NONBLOCK, O_CLOEXEC. */
const OPEN_FLAGS = 2 | 0o4000 | 0o2000000;
const TUNSETIFF = 0x400454ca;
/** IFF_TAP, IFF_NO_PI. */
const TAP_FLAGS = 0x0002 | 0x1000;
const REQUEST_BYTES = 40;
const REQUEST_FLAGS = 16;
const ETHERNET_BYTES = 14;

/**
 * Opens a TAP device, creating it if it does not exist; it must still be set up (`ip link set NAME up`).
 *
 * @param name of 1 to 15 bytes.
 * @throws RoceError `invalid-config` or `invalid-argument` for invalid options or names; `unsupported` without koffi,
 * Linux or permission, or if another program uses the device.
 */
export async function openTapPort(name: string, options: TapPortOptions = {}): Promise<FramePort> {
  const device = interfaceName(name);
  checkRecord(options, 'options');
  const { clock = startLiveClock(), ...rest } = options;
  requireClock(clock);
  const settings = resolveOptions<Settings>(rest, DEFAULTS, RULES, 'options');
  return new TapPort(await loadLibc('a TAP device'), device, settings.frameBytes, clock);
}

class TapPort implements FramePort {
  readonly name: string;
  readonly originNs: bigint;
  readonly poll: PollTarget;
  readonly #libc: Libc;
  readonly #clock: LiveClock;
  readonly #memory: NativeMemory;
  readonly #frameBytes: number;
  readonly #poller: Poller;
  readonly #counters = new PortCounters();
  #fd: number;

  constructor(libc: Libc, name: string, frameBytes: number, clock: LiveClock) {
    this.name = name;
    this.originNs = clock.originNs;
    this.#libc = libc;
    this.#clock = clock;
    this.#frameBytes = frameBytes;
    this.#fd = openDevice(libc, name);
    const fdNow = (): number => this.#fd;
    this.poll = {
      get fd() {
        return fdNow();
      },
      polled: () => undefined,
    };
    // The extra byte reveals a frame that is too long.
    this.#memory = NativeMemory.anonymous(libc, frameBytes + 1, name);
    this.#poller = new Poller(libc, [this.poll]);
  }

  receive(batch: FrameBatch): number {
    requireBatch(batch);
    batch.count = 0;
    let usedBytes = 0;
    while (this.#fd >= 0 && batch.count < batch.offsets.length) {
      // A frame that was read cannot be put back, so stop while one still fits.
      if (batch.bytes.length - usedBytes < this.#frameBytes && batch.count > 0) break;
      const lenBytes = this.#libc.read(this.#fd, this.#memory.pointer, this.#memory.lenBytes);
      if (lenBytes < 0 && !this.#goesOn()) break;
      if (lenBytes > 0 && this.#isGood(lenBytes, batch.bytes.length)) {
        this.#add(batch, usedBytes, lenBytes);
        usedBytes += lenBytes;
      }
    }
    return batch.count;
  }

  send(bytes: Uint8Array, offset: number, lenBytes: number): boolean {
    requireFrame(bytes, offset, lenBytes);
    if (this.#fd < 0) {
      this.#counters.rejectedFrames++;
      return false;
    }
    if (lenBytes > this.#frameBytes) {
      this.#counters.sendDrops['too-long']++;
      return true;
    }
    this.#memory.bytes.set(bytes.subarray(offset, offset + lenBytes));
    return this.#write(lenBytes);
  }

  flush(): void {
    // Nothing to do: `send` writes each frame immediately.
  }

  wait(timeoutMs: number): Promise<void> {
    requireTimeout(timeoutMs);
    return this.#poller.wait(timeoutMs);
  }

  stats(): FramePortStats {
    return this.#counters.stats(0);
  }

  close(): void {
    if (this.#fd < 0) return;
    this.#poller.close();
    this.#libc.close(this.#fd);
    this.#fd = -1;
    this.#memory.free();
  }

  #write(lenBytes: number): boolean {
    for (;;) {
      if (this.#libc.write(this.#fd, this.#memory.pointer, lenBytes) >= 0) {
        this.#counters.sentFrames++;
        this.#counters.sentBytes += lenBytes;
        return true;
      }
      const errno = this.#libc.errno();
      if (errno === EINTR) continue;
      if (errno === EAGAIN) {
        this.#counters.rejectedFrames++;
        return false;
      }
      const other = errno === EMSGSIZE ? 'too-long' : 'error';
      this.#counters.sendDrops[errno === EIO ? 'interface-down' : other]++;
      return true;
    }
  }

  #isGood(lenBytes: number, roomBytes: number): boolean {
    const { receiveDrops } = this.#counters;
    if (lenBytes > Math.min(this.#frameBytes, roomBytes)) receiveDrops['too-long']++;
    else if (lenBytes < ETHERNET_BYTES) receiveDrops['too-short']++;
    else return true;
    return false;
  }

  #add(batch: FrameBatch, offset: number, lenBytes: number): void {
    batch.bytes.set(this.#memory.bytes.subarray(0, lenBytes), offset);
    const index = batch.count++;
    batch.offsets[index] = offset;
    batch.lenBytes[index] = lenBytes;
    batch.originalLenBytes[index] = lenBytes;
    batch.timesNs[index] = this.#clock.nowNs();
    this.#counters.receivedFrames++;
    this.#counters.receivedBytes += lenBytes;
  }

  /** After a failed read, returns whether to read again. */
  #goesOn(): boolean {
    const errno = this.#libc.errno();
    if (errno === EINTR) return true;
    if (errno !== EAGAIN) this.#counters.receiveDrops.error++;
    return false;
  }
}

function openDevice(libc: Libc, name: string): number {
  const fd = libc.open(DEVICE, OPEN_FLAGS);
  if (fd < 0) throw systemError(`opening ${DEVICE} for ${name}`, libc.errno(), name);
  const request = new Uint8Array(REQUEST_BYTES);
  request.set(new TextEncoder().encode(name));
  new DataView(request.buffer).setUint16(REQUEST_FLAGS, TAP_FLAGS, true);
  if (libc.ioctl(fd, TUNSETIFF, request) >= 0) return fd;
  const error = systemError(`opening the TAP device ${name}`, libc.errno(), name);
  libc.close(fd);
  throw error;
}

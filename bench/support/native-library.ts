/** The library for C behind what a benchmark of events needs, by koffi: two calls per batch, whose events lie in the engine's own buffer. */
import koffi from 'koffi';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVENT_BYTES } from '../../src/abi/layout.js';

const LIBRARY_FILE = fileURLToPath(new URL('../../build/native/libroce_cc.so', import.meta.url));
const HASH_CHARS = 17;
const ABI = 2;

type Call = (...values: unknown[]) => number;

interface Functions {
  readonly optionsBytes: number;
  readonly create: Call;
  readonly openQp: Call;
  readonly eventBuffer: (engine: unknown) => unknown;
  readonly applyBuffer: Call;
  readonly sent: Call;
  readonly cnp: Call;
  readonly snapshot: Call;
  readonly restore: Call;
  readonly hash: Call;
}

let functions: Functions | undefined;

/** Whether `npm run native` has built it. */
export const hasLibrary = existsSync(LIBRARY_FILE);

function load(): Functions {
  const library = koffi.load(LIBRARY_FILE);
  const set = koffi.struct({ name: 'str', preset: 'str', overrides: 'str' });
  const capacity = {
    qps: 'uint32_t',
    endpoints: 'uint32_t',
    addresses: 'uint32_t',
    events: 'uint32_t',
    packets: 'uint32_t',
    frame_bytes: 'uint32_t',
  };
  const options = koffi.struct({
    struct_bytes: 'uint32_t',
    abi: 'uint32_t',
    ...capacity,
    parameter_sets: koffi.pointer(set),
    parameter_set_count: 'uint32_t',
    settings: 'str',
  });
  const qpOptions = koffi.struct({
    endpoint: 'uint32_t',
    local_qpn: 'uint32_t',
    peer_qpn: 'uint32_t',
    peer_address: 'void *',
    parameter_set: 'str',
  });
  const u32 = koffi.out(koffi.pointer('uint32_t'));
  const f64 = koffi.out(koffi.pointer('double'));
  const size = koffi.out(koffi.pointer('size_t'));
  const bind = (name: string, result: string, given: Parameters<typeof koffi.sizeof>[0][]): never =>
    library.func(name, result, given) as never;
  return {
    optionsBytes: koffi.sizeof(options),
    create: bind('roce_engine_create', 'int', [koffi.pointer(options), koffi.out(koffi.pointer('void *'))]),
    openQp: bind('roce_open_qp', 'int', ['void *', koffi.pointer(qpOptions), u32]),
    eventBuffer: bind('roce_event_buffer', 'void *', ['void *']),
    applyBuffer: bind('roce_apply_buffer', 'int', ['void *', 'uint32_t', u32]),
    sent: bind('roce_sent', 'int', ['void *', 'double', 'uint32_t', 'uint32_t', f64]),
    cnp: bind('roce_cnp', 'int', ['void *', 'double', 'uint32_t', f64]),
    snapshot: bind('roce_snapshot', 'int', ['void *', 'void *', 'size_t', size]),
    restore: bind('roce_restore', 'int', ['void *', 'void *', 'size_t']),
    hash: bind('roce_state_hash', 'int', ['void *', 'void *']),
  };
}

/** An engine of the library with its event buffer. */
export class LibraryEngine {
  readonly #calls: Functions;
  readonly #engine: unknown;
  /** The engine's own buffer. */
  readonly buffer: Uint8Array;
  #saved = new Uint8Array(0);

  /** @param qps all opened, under DCQCN of the SIGCOMM 2015 paper at 100 Gb/s. */
  constructor(qps: number, events: number) {
    functions ??= load();
    this.#calls = functions;
    const out: unknown[] = [null];
    this.#check(this.#calls.create({
      struct_bytes: this.#calls.optionsBytes,
      abi: ABI,
      qps,
      endpoints: 0,
      addresses: 0,
      events,
      packets: 1,
      frame_bytes: 64,
      parameter_sets: [{ name: 'default', preset: 'dcqcn-sigcomm15', overrides: 'lineRateBps=100e9' }],
      parameter_set_count: 1,
      settings: 'hashSeed=1',
    }, out));
    this.#engine = out[0];
    for (let qp = 0; qp < qps; qp++) {
      this.#check(this.#calls.openQp(this.#engine, {
        endpoint: 0,
        local_qpn: qp + 1,
        peer_qpn: 0xffffffff,
        peer_address: null,
        parameter_set: null,
      }, [0]));
    }
    this.buffer = new Uint8Array(koffi.view(this.#calls.eventBuffer(this.#engine), events * EVENT_BYTES));
  }

  /** Applies the first `n` events of the buffer; returns the number of actions. */
  apply(n: number): number {
    const actions = [0];
    this.#check(this.#calls.applyBuffer(this.#engine, n, actions));
    return actions[0];
  }

  save(): void {
    const size: unknown[] = [0];
    this.#calls.snapshot(this.#engine, null, 0, size);
    this.#saved = new Uint8Array(Number(size[0]));
    this.#check(this.#calls.snapshot(this.#engine, this.#saved, this.#saved.length, size));
  }

  restore(): void {
    this.#check(this.#calls.restore(this.#engine, this.#saved, this.#saved.length));
  }

  stateHash(): string {
    const hash = Buffer.alloc(HASH_CHARS);
    this.#check(this.#calls.hash(this.#engine, hash));
    return hash.toString('latin1', 0, HASH_CHARS - 1);
  }

  #check(status: number): void {
    if (status !== 0) throw new Error(`the library's status is ${status}`);
  }
}

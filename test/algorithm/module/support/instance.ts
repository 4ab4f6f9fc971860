/** Instances of a module with its memory, as the host makes them. */

type Handler = (qp: number, parameters: number, timePs: number, argument: number) => number;

export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly memory: WebAssembly.Memory;
  readonly bytes: Uint8Array;
  handler(name: string): Handler;
  /** Value of the exported `roce_fuel`. */
  fuel(): number;
}

const PAGES = 4;

export function instanceOf(bytes: Uint8Array): Instance {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { env: { memory } });
  return {
    exports,
    memory,
    bytes: new Uint8Array(memory.buffer),
    handler: (name) => exports[name] as Handler,
    fuel: () => (exports['roce_fuel'] as WebAssembly.Global<'i32'>).value,
  };
}

/** `returned`, `trap`, or the name of another error. */
export function endOf(call: () => unknown): string {
  try {
    call();
    return 'returned';
  } catch (error) {
    return error instanceof WebAssembly.RuntimeError ? 'trap' : (error as Error).name;
  }
}

/**
 * What the scenario program finds in the library for C instead of a browser's globals: WebAssembly, whose one module is the library's own kernel
 * (native/scenarios/script.c), and texts as UTF-8.
 */

/** Set by script.c: functions of the kernel by name, and `instantiate`. */
declare const kernelFunctions: Readonly<Record<string, (...values: readonly number[]) => number>>;

const globals = globalThis as unknown as {
  /** Made again by script.c whenever the kernel's memory grows. */
  kernelBuffer: ArrayBuffer;
  WebAssembly: unknown;
  TextEncoder: unknown;
  TextDecoder: unknown;
};

class KernelInstance {
  readonly exports: object;

  constructor() {
    kernelFunctions['instantiate']();
    const memory = {
      get buffer(): ArrayBuffer {
        return globals.kernelBuffer;
      },
    };
    this.exports = { ...kernelFunctions, memory };
  }
}

class Utf8Encoder {
  encode(text: string): Uint8Array {
    const escaped = encodeURIComponent(text).match(/%[0-9A-F]{2}|[^%]/g) ?? [];
    return Uint8Array.from(escaped, (part) => part.length === 1 ? part.charCodeAt(0) : Number(`0x${part.slice(1)}`));
  }
}

class Utf8Decoder {
  decode(bytes: Uint8Array = new Uint8Array()): string {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  }
}

globals.WebAssembly = {
  // The kernel needs no code from here.
  Module: Object,
  Instance: KernelInstance,
};
globals.TextEncoder = Utf8Encoder;
globals.TextDecoder = Utf8Decoder;

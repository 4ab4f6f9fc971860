/** Builds pcapng blocks for tests, in either byte order. */
export class PcapngBuilder {
  private readonly parts: Uint8Array[] = [];
  private readonly littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.littleEndian = littleEndian;
  }

  section(): this {
    return this.block(0x0a0d0d0a,
      joinBytes([this.u32(0x1a2b3c4d), this.u16(1), this.u16(0), this.u32(0xffffffff), this.u32(0xffffffff)]));
  }

  interface(linkType: number, snapLength: number, ...options: Uint8Array[]): this {
    return this.block(1, joinBytes([this.u16(linkType), this.u16(0), this.u32(snapLength), ...options]));
  }

  enhanced(interfaceId: number, ticks: bigint, data: Uint8Array, original = data.length,
    ...options: Uint8Array[]): this {
    const time = [this.u32(Number(ticks >> 32n)), this.u32(Number(ticks & 0xffffffffn))];
    return this.block(6,
      joinBytes([this.u32(interfaceId), ...time, this.u32(data.length), this.u32(original), padded(data), ...options]));
  }

  /** The packet block of type 2. */
  obsolete(interfaceId: number, drops: number, ticks: bigint, data: Uint8Array, original = data.length,
    ...options: Uint8Array[]): this {
    const place = [this.u16(interfaceId), this.u16(drops)];
    const time = [this.u32(Number(ticks >> 32n)), this.u32(Number(ticks & 0xffffffffn))];
    return this.block(2,
      joinBytes([...place, ...time, this.u32(data.length), this.u32(original), padded(data), ...options]));
  }

  simple(original: number, data: Uint8Array): this {
    return this.block(3, joinBytes([this.u32(original), padded(data)]));
  }

  block(type: number, body: Uint8Array): this {
    const total = this.u32(body.length + 12);
    this.parts.push(joinBytes([this.u32(type), total, body, total]));
    return this;
  }

  option(code: number, value: Uint8Array): Uint8Array {
    return joinBytes([this.u16(code), this.u16(value.length), padded(value)]);
  }

  resolution(byte: number): Uint8Array {
    return this.option(9, Uint8Array.of(byte));
  }

  offsetSeconds(seconds: bigint): Uint8Array {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigInt64(0, seconds, this.littleEndian);
    return this.option(14, new Uint8Array(view.buffer));
  }

  bytes(): Uint8Array {
    return joinBytes(this.parts);
  }

  private u16(value: number): Uint8Array {
    const view = new DataView(new ArrayBuffer(2));
    view.setUint16(0, value, this.littleEndian);
    return new Uint8Array(view.buffer);
  }

  private u32(value: number): Uint8Array {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, value, this.littleEndian);
    return new Uint8Array(view.buffer);
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function padded(bytes: Uint8Array): Uint8Array {
  const room = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  room.set(bytes);
  return room;
}

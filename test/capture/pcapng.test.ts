import { describe, expect, it } from 'vitest';
import { MAX_INTERFACES } from '../../src/capture/index.js';
import { expectInvalidCapture, inChunks, readAll, readGood } from './support/read.js';
import { joinBytes, PcapngBuilder } from './support/pcapng-build.js';

const FRAME = Uint8Array.of(1, 2, 3, 4, 5);

describe.each([true, false])('pcapng (little-endian: %s)', (littleEndian) => {
  const build = () => new PcapngBuilder(littleEndian);

  it('skips unknown blocks, even those longer than the buffer', async () => {
    const bytes = build().section().block(0x0bad, new Uint8Array(50_000)).interface(1, 0).block(5, new Uint8Array(0))
      .enhanced(0, 7n, FRAME).bytes();
    const frames = await readGood(inChunks(bytes, () => 1000));
    expect(frames.map((frame) => [...frame.bytes])).toEqual([[...FRAME]]);
  });

  it('checks the trailing length of a skipped block', async () => {
    const bytes = build().section().block(0x0bad, new Uint8Array(400)).bytes();
    bytes[bytes.length - (littleEndian ? 4 : 1)]! ^= 4;
    expectInvalidCapture((await readAll(bytes)).error, /length at the end of the block must be/,
      `byte offset ${String(bytes.length - 4)} of the capture`);
  });

  it("applies if_tsresol and a negative if_tsoffset of the packet's own interface", async () => {
    const b = build().section();
    b.interface(1, 0).interface(101, 0, b.option(2, FRAME), b.resolution(0x80 | 10), b.offsetSeconds(-5n),
      b.option(0, new Uint8Array(0)));
    const frames = await readGood(b.enhanced(1, 3n * 1024n + 1n, FRAME).enhanced(0, 1_000_002n, FRAME, 9).bytes());
    expect(frames).toMatchObject([
      { interfaceId: 1, linkType: 101, hasTime: true, epochSeconds: -2, picoseconds: 976_562_500, originalBytes: 5 },
      {
        interfaceId: 0,
        linkType: 1,
        hasTime: true,
        epochSeconds: 1,
        picoseconds: 2_000_000,
        capturedBytes: 5,
        originalBytes: 9,
      },
    ]);
  });

  it('ignores packet options, including comments', async () => {
    const b = build().section().interface(1, 0);
    const frames = await readGood(
      b.enhanced(0, 0n, FRAME, 5, b.option(1, new TextEncoder().encode('a comment')), b.option(2, new Uint8Array(4)))
        .bytes(),
    );
    expect(frames).toMatchObject([{ capturedBytes: 5 }]);
  });

  it('truncates a simple packet to the snap length of interface 0, without a time', async () => {
    const frames = await readGood(build().section().interface(1, 3).simple(5, FRAME.slice(0, 3)).bytes());
    expect(frames).toMatchObject([{
      hasTime: false,
      epochSeconds: 0,
      picoseconds: 0,
      capturedBytes: 3,
      originalBytes: 5,
    }]);
    expect([...frames[0]!.bytes]).toEqual([1, 2, 3]);
  });

  it('reads obsolete packet blocks and ignores their drop count', async () => {
    const builder = build();
    const ticks = 1_700_000_000_000_007n;
    const bytes = builder.section().interface(1, 0).interface(101, 0, builder.resolution(9))
      .obsolete(0, 0xffff, ticks, FRAME, 99).obsolete(1, 3, ticks * 1000n, FRAME, FRAME.length,
        builder.option(2, Uint8Array.of(1, 0, 0, 0))).enhanced(0, ticks, FRAME).bytes();
    const time = { hasTime: true, epochSeconds: 1_700_000_000, picoseconds: 7_000_000 };
    expect(await readGood(bytes)).toMatchObject([
      { bytes: FRAME, originalBytes: 99, interfaceId: 0, linkType: 1, ...time },
      { bytes: FRAME, originalBytes: FRAME.length, interfaceId: 1, linkType: 101, ...time },
      { bytes: FRAME, interfaceId: 0, ...time },
    ]);
  });

  it('rejects an obsolete packet block that is too short or has an unknown interface', async () => {
    const start = () => build().section().interface(1, 0);
    expectInvalidCapture((await readAll(start().block(2, new Uint8Array(8)).bytes())).error,
      /length of the block must be a multiple of 4 of at least 32 bytes \(got 20\)/);
    expectInvalidCapture((await readAll(start().obsolete(1, 0, 0n, FRAME).bytes())).error,
      /interface of the packet must be one of the section's 1 interfaces \(got 1\)/);
  });

  it('discards the interfaces of a section when the next begins, even in another byte order', async () => {
    const other = new PcapngBuilder(!littleEndian).section();
    const first = build().section().interface(1, 0).enhanced(0, 1n, FRAME).bytes();
    expectInvalidCapture(
      (await readAll(
        joinBytes([first, other.bytes(), new PcapngBuilder(!littleEndian).enhanced(0, 1n, FRAME).bytes()]),
      )).error,
      /interface of the packet must be/,
    );
    const frames = await readGood(joinBytes([first, other.interface(228, 0).enhanced(0, 2n, FRAME).bytes()]));
    expect(frames).toMatchObject([
      { section: 0, linkType: 1, picoseconds: 1e6 },
      { section: 1, linkType: 228, picoseconds: 2e6 },
    ]);
  });

  it('rejects a simple packet before the first interface', async () => {
    expectInvalidCapture((await readAll(build().section().simple(5, FRAME).bytes())).error,
      /interface of the packet must be/);
  });

  it('rejects options that extend past their block or have the wrong length', async () => {
    const b = build();
    const overlong = b.option(2, FRAME);
    overlong[littleEndian ? 2 : 3] = 9;
    expectInvalidCapture((await readAll(build().section().interface(1, 0, overlong).bytes())).error,
      /length of the option must be at most/);
    expectInvalidCapture((await readAll(build().section().interface(1, 0, b.option(9, FRAME)).bytes())).error,
      /length of the option must be/);
    expectInvalidCapture((await readAll(build().section().interface(1, 0, b.option(14, FRAME)).bytes())).error,
      /length of the option must be/);
  });

  it('rejects times and offsets beyond 2^53 seconds', async () => {
    const b = build();
    const everlasting = build().section().interface(1, 0, b.resolution(0)).enhanced(0, 2n ** 60n, FRAME);
    expectInvalidCapture((await readAll(everlasting.bytes())).error, /time of the packet must be/);
    expectInvalidCapture((await readAll(build().section().interface(1, 0, b.offsetSeconds(2n ** 60n)).bytes())).error,
      /time offset must be/);
  });

  it('limits the number of interfaces', async () => {
    const one = build().interface(1, 0).bytes();
    const many = joinBytes([build().section().bytes(), ...Array.from({ length: MAX_INTERFACES + 1 }, () => one)]);
    expectInvalidCapture((await readAll(many, {})).error, /number of interfaces/);
  });
});

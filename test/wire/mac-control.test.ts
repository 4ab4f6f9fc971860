import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { EtherType, Ethernet } from '../../src/wire/link/ethernet.js';
import { MacControl, Pause, Pfc } from '../../src/wire/link/mac-control.js';
import { readCapture } from './support/frames.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const u16 = fc.integer({ min: 0, max: 0xffff });
const pfcs = fc.record({ classEnableVector: u16, pauseQuanta: fc.array(u16, { minLength: 8, maxLength: 8 }) });
const data = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** A PAUSE of 0xffff quanta from a traffic generator. */
const PAUSE_FRAME = fromHex(`0180c2000001 00182d04009c 8808 0001 ffff ${'00'.repeat(42)}`);
/** From the capture corpus. */
const PFC_FRAME = fromHex(`
  0180c2000001 021122add439 8808 0101 00ff ffff e4eb 890b 09b8 ffff ffff 617d ffff ${'00'.repeat(26)}`);
const PFC_TIMES = [65535, 58603, 35083, 2488, 65535, 65535, 24957, 65535];

const opcodeAt = (frame: Uint8Array) => new Ethernet.View(frame).payloadOffset;

describe('MAC control', () => {
  it('is the inverse of its reader, both ways', () => {
    fc.assert(fc.property(data(2), (bytes) => {
      expect(MacControl.write(MacControl.read(bytes))).toEqual(bytes);
    }));
    fc.assert(fc.property(u16, (opcode) => {
      expect(MacControl.read(MacControl.write({ opcode })).opcode).toBe(opcode);
    }));
  });

  it('distinguishes PAUSE from PFC by its opcode, after EtherType 0x8808', () => {
    for (const [frame, opcode] of [[PAUSE_FRAME, 0x0001], [PFC_FRAME, 0x0101]] as const) {
      expect(new Ethernet.View(frame).etherType).toBe(EtherType.MAC_CONTROL);
      const view = new MacControl.View(frame, opcodeAt(frame));
      expect(view.opcode).toBe(opcode);
      expect(view.payloadOffset).toBe(16);
    }
  });

  it('has the stated layouts', () => {
    expectLayout(MacControl, MacControl.read);
    expectLayout(Pause, Pause.read, { repair: (bytes) => bytes.set([0, 1]), notInValue: ['opcode'] });
    const parseFlat = (bytes: Uint8Array) => {
      const { pauseQuanta, ...rest } = Pfc.read(bytes);
      return { ...rest, ...Object.fromEntries(pauseQuanta.map((quanta, index) => [`pauseQuanta${index}`, quanta])) };
    };
    expectLayout(Pfc, parseFlat, { repair: (bytes) => bytes.set([1, 1]), notInValue: ['opcode'] });
  });
});

describe('PAUSE', () => {
  it('equals captured frames', () => {
    expect(toHex(Pause.frame(fromHex('00182d04009c'), { pauseQuanta: 0xffff }))).toBe(toHex(PAUSE_FRAME));
  });

  it('has its time directly after the opcode', () => {
    expect(Pause.read(PAUSE_FRAME, opcodeAt(PAUSE_FRAME))).toEqual({ pauseQuanta: 0xffff });
    expect(toHex(Pause.write({ pauseQuanta: 0x03e8 }))).toBe('000103e8');
    expect(new Pause.View(fromHex('000103e8')).payloadOffset).toBe(4);
  });

  it('is the inverse of its reader, both ways', () => {
    const bytes = u16.map((quanta) => fromHex(`0001${quanta.toString(16).padStart(4, '0')}`));
    fc.assert(fc.property(bytes, (sent) => {
      expect(Pause.write(Pause.read(sent))).toEqual(sent);
    }));
    fc.assert(fc.property(u16, (pauseQuanta) => {
      expect(Pause.read(Pause.write({ pauseQuanta }))).toEqual({ pauseQuanta });
    }));
  });
});

describe('PFC', () => {
  it('is read from and built into captured frames', () => {
    const pfc = Pfc.read(PFC_FRAME, opcodeAt(PFC_FRAME));
    expect(pfc).toEqual({ classEnableVector: 0xff, pauseQuanta: PFC_TIMES });
    expect(toHex(Pfc.frame(fromHex('021122add439'), pfc))).toBe(toHex(PFC_FRAME));
  });

  it('is the inverse of its reader, both ways', () => {
    const bytes = data(18).map((tail) => Uint8Array.from([1, 1, ...tail]));
    fc.assert(fc.property(bytes, (sent) => {
      expect(Pfc.write(Pfc.read(sent))).toEqual(sent);
    }));
    fc.assert(fc.property(pfcs, (pfc) => {
      expect(Pfc.read(Pfc.write(pfc))).toEqual(pfc);
    }));
  });

  it('counts bit n of the low byte as class n', () => {
    const enabled = (classEnableVector: number) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((priority) => Pfc.isClassEnabled({ classEnableVector }, priority));
    expect(enabled(0x0008)).toEqual([3]);
    expect(enabled(0xff81)).toEqual([0, 7]);
    expect(() => Pfc.isClassEnabled({ classEnableVector: 0 }, 8)).toThrow(/^priority[ :]/);
  });

  it('has a movable view that reads each time without a copy', () => {
    const view = new Pfc.View(PFC_FRAME, 14);
    expect(PFC_TIMES.map((_, priority) => view.pauseQuantaOf(priority))).toEqual(PFC_TIMES);
    expect(view.payloadOffset).toBe(34);
    const other = Pfc.write({ classEnableVector: 1, pauseQuanta: [7, 0, 0, 0, 0, 0, 0, 0] });
    expect(view.moveTo(other, 0).pauseQuantaOf(0)).toBe(7);
    expect(() => view.moveTo(PAUSE_FRAME, 14)).toThrow(/another opcode/);
    expect(view.pauseQuantaOf(0)).toBe(7);
  });

  it('is read from the capture corpus as intended', () => {
    const frames = readCapture('mixed').filter(({ truth }) => truth.class === 'pfc');
    expect(frames.length).toBeGreaterThan(10);
    for (const { truth, bytes } of frames) {
      const { classEnableVector, pauseQuanta } = Pfc.read(bytes, opcodeAt(bytes));
      const vector = classEnableVector.toString(16).padStart(4, '0');
      expect(`0x${vector}:${pauseQuanta.join(';')}`).toBe(truth.pfc);
    }
  });

  it.each([
    ['pfc.classEnableVector', { classEnableVector: 0x10000 }],
    ['pfc.pauseQuanta7', { pauseQuanta: [0, 0, 0, 0, 0, 0, 0, 65536] }],
    ['pfc.pauseQuanta', { pauseQuanta: [0, 0, 0, 0, 0, 0, 0] }],
    ['pfc.pauseQuanta', { pauseQuanta: [0, 0, 0, 0, 0, 0, 0, 0, 0] }],
  ])('names %s when it is out of range', (where, change) => {
    expect(() => Pfc.write({ classEnableVector: 1, pauseQuanta: [0, 0, 0, 0, 0, 0, 0, 0], ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where }),
    );
  });
});

describe('flow control frames', () => {
  const source = fromHex('020000000001');
  const pfc = { classEnableVector: 8, pauseQuanta: [0, 0, 0, 0xffff, 0, 0, 0, 0] };

  it('have 60 bytes, all of which are written at any offset', () => {
    for (
      const [frame, into] of [
        [Pfc.frame(source, pfc), (target: Uint8Array) => Pfc.frameInto(target, 3, source, pfc)],
        [Pause.frame(source, { pauseQuanta: 1 }), (target: Uint8Array) =>
          Pause.frameInto(target, 3, source, { pauseQuanta: 1 })],
      ] as const
    ) {
      expect(frame).toHaveLength(60);
      const target = new Uint8Array(64).fill(0xee);
      expect(into(target)).toBe(63);
      expect(toHex(target)).toBe(`eeeeee${toHex(frame)}ee`);
      expect(() => into(new Uint8Array(62))).toThrow(/needs .* available/);
    }
  });

  it('require a source of 6 bytes', () => {
    expect(() => Pfc.frame(source.subarray(1), pfc)).toThrow(/source/);
  });

  it.each([
    ['mac control', (bytes: Uint8Array) => MacControl.read(bytes), fromHex('0101')],
    ['pause', (bytes: Uint8Array) => Pause.read(bytes), PAUSE_FRAME.subarray(14, 18)],
    ['pfc', (bytes: Uint8Array) => Pfc.read(bytes), PFC_FRAME.subarray(14, 34)],
  ])('are read if truncated after the last field of %s, and rejected if truncated earlier', (layer, parse, whole) => {
    expect(() => parse(whole)).not.toThrow();
    for (let length = 0; length < whole.length; length++) {
      const attempt = () => parse(whole.subarray(0, length));
      expect(attempt).toThrow(RoceError);
      expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-packet', layer, offset: 0 }));
    }
  });

  it('are rejected with the opcode of the other kind', () => {
    expect(() => Pfc.read(PAUSE_FRAME, 14)).toThrow(/^pfc at offset 14 has another opcode \(got 1\); allowed: 257\.$/);
    expect(() => Pause.read(PFC_FRAME, 14)).toThrow(
      /^pause at offset 14 has another opcode \(got 257\); allowed: 1\.$/,
    );
  });

  it('are rejected if the target is too short', () => {
    expect(() => Pause.writeInto(new Uint8Array(4), 1, { pauseQuanta: 0 })).toThrow(/needs .* available/);
    expect(() => Pfc.writeInto(new Uint8Array(20), 1, pfc)).toThrow(/needs .* available/);
  });
});

describe('pause quanta', () => {
  it.each([
    [10e9, 51_200, 3_355_392_000],
    [25e9, 20_480, 1_342_156_800],
    [40e9, 12_800, 838_848_000],
    [100e9, 5_120, 335_539_200],
    [400e9, 1_280, 83_884_800],
  ])('last 512 bit times each at %d bit/s', (rateBps, onePs, longestPs) => {
    expect(MacControl.pauseQuantaToPs(1, rateBps)).toBe(onePs);
    expect(MacControl.pauseQuantaToPs(65535, rateBps)).toBe(longestPs);
    expect(MacControl.pauseQuantaToPs(0, rateBps)).toBe(0);
  });

  it('are recovered from their time at any rate', () => {
    fc.assert(fc.property(u16, fc.integer({ min: 1e6, max: 1.6e12 }), (quanta, rateBps) => {
      expect(MacControl.psToPauseQuanta(MacControl.pauseQuantaToPs(quanta, rateBps), rateBps)).toBe(quanta);
    }));
  });

  it('are the fewest that last at least as long as requested', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 83_884_800 }), (timePs) => {
      const quanta = MacControl.psToPauseQuanta(timePs, 400e9);
      expect(MacControl.pauseQuantaToPs(quanta, 400e9)).toBeGreaterThanOrEqual(timePs);
      expect(MacControl.pauseQuantaToPs(quanta - 1, 400e9)).toBeLessThan(timePs);
    }));
  });

  it('are at most 65535, and rejected rather than clamped', () => {
    expect(MacControl.psToPauseQuanta(83_884_800, 400e9)).toBe(65535);
    expect(() => MacControl.psToPauseQuanta(83_884_801, 400e9)).toThrow(/timePs/);
    expect(() => MacControl.pauseQuantaToPs(65536, 400e9)).toThrow(/pauseQuanta/);
    for (const rateBps of [0, -1, Number.NaN, Infinity])
      expect(() => MacControl.pauseQuantaToPs(1, rateBps)).toThrow(/rateBps/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { ExtensionHeader } from '../../src/wire/ip/ipv6.js';
import { Ipv6Option, readOptions, type AlignedOption, type OptionField,
  OptionsHeader } from '../../src/wire/ip/ipv6-options.js';
import { Ethernet } from '../../src/wire/link/ethernet.js';
import { FastCnpOption1Compact, FastCnpOption1, FastCnpOption2,
  parseFastCnpOptions } from '../../src/wire/roce/fast-cnp-option.js';
import { readKnownFrames } from './support/frames.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const optionType = fc.integer({ min: 2, max: 255 });
const alignment = fc.constantFrom(1, 2, 4, 8).chain((x) => fc.record({ x: fc.constant(x), y: fc.nat(x - 1) }));
const alignedOptions = fc.array(
  fc.record({ type: optionType, data: fc.uint8Array({ maxLength: 40 }), align: alignment }),
  { maxLength: 6 },
);
const bytesOf = (options: readonly AlignedOption[], nextHeader = 17) =>
  OptionsHeader.write({ nextHeader, options: OptionsHeader.layOut(options) });

/** Options X and Y of RFC 8200, appendix A: 4 and 8 bytes at 8n+2; 1, 2 and 4 bytes at 4n+3. */
const X = { type: 0x1e, data: fromHex('aaaaaaaa bbbbbbbbbbbbbbbb'), align: { x: 8, y: 2 } };
const Y = { type: 0x3e, data: fromHex('cc dddd eeeeeeee'), align: { x: 4, y: 3 } };

describe('the layout of options', () => {
  it.each([
    ['X', [X], '1101 1e0c aaaaaaaa bbbbbbbbbbbbbbbb'],
    ['Y', [Y], '1101 00 3e07 cc dddd eeeeeeee 01020000'],
    ['X, Y', [X, Y], '1103 1e0c aaaaaaaa bbbbbbbbbbbbbbbb 010100 3e07 cc dddd eeeeeeee 01020000'],
    ['Y, X', [Y, X], '1103 00 3e07 cc dddd eeeeeeee 010400000000 1e0c aaaaaaaa bbbbbbbbbbbbbbbb'],
    ['none', [], '1100 010400000000'],
  ])('is that of RFC 8200, appendix A for %s', (_, options, hex) => {
    expect(toHex(bytesOf(options))).toBe(toHex(fromHex(hex)));
  });

  it('places each option at its alignment with minimal padding, and fills whole units', () => {
    fc.assert(fc.property(alignedOptions, (options) => {
      const header = bytesOf(options);
      expect(header.length % 8).toBe(0);
      const found = readOptions(header, { type: 60, offset: 0, bytes: header.length });
      expect(found.map(({ type }) => type)).toEqual(options.map(({ type }) => type));
      let behind = 2;
      found.forEach(({ offset, dataOffset, dataBytes }, index) => {
        const { align, data } = options[index]!;
        expect(offset % align.x).toBe(align.y);
        expect(offset - behind).toBeLessThan(align.x);
        expect(toHex(header.subarray(dataOffset, dataOffset + dataBytes))).toBe(toHex(data));
        behind = dataOffset + dataBytes;
      });
      if (options.length > 0) expect(header.length - behind).toBeLessThan(8);
    }));
  });

  it('never has two paddings in a row', () => {
    fc.assert(fc.property(alignedOptions, (options) => {
      const kinds = OptionsHeader.layOut(options).map(({ kind }) => (kind === 'option' ? 'o' : 'p')).join('');
      expect(kinds).not.toContain('pp');
    }));
  });

  it('is the same as from the builder of one option', () => {
    fc.assert(
      fc.property(optionType, fc.uint8Array({ maxLength: 255 }), fc.constantFrom(2, 3, 4, 6), (type, data, at) => {
        const options = [{ type, data, align: { x: 8, y: at } }];
        expect(toHex(Ipv6Option.writeHeader(type, data, at, 43))).toBe(toHex(bytesOf(options, 43)));
      }),
    );
  });

  it('fits into 2048 bytes or is rejected', () => {
    const full = Array.from({ length: 8 }, (_, index) => ({ type: 0x1e, data: new Uint8Array(index < 7 ? 254 : 252) }));
    expect(bytesOf(full)).toHaveLength(2048);
    expect(bytesOf(full)[1]).toBe(255);
    const tooMuch = [...full, { type: 0x1e, data: new Uint8Array(0) }];
    expect(() => OptionsHeader.layOut(tooMuch)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', got: 2050 }),
    );
  });

  it.each([[3, 0], [16, 0], [0, 0], [8, 8], [4, -1], [8, 1.5]])('is rejected for the alignment %dn+%d', (x, y) => {
    expect(() => OptionsHeader.layOut([{ ...X, align: { x, y } }])).toThrow(/alignment must be xn\+y/);
  });

  it('rejects padding as an option, and more than 255 bytes of data', () => {
    for (const type of [0, 1])
      expect(() => OptionsHeader.layOut([{ ...X, type }])).toThrow(/type must be between 2 and 255/);
    expect(() => OptionsHeader.layOut([{ ...X, type: 256 }])).toThrow(/options\.type/);
    expect(() => OptionsHeader.layOut([{ ...X, data: new Uint8Array(256) }])).toThrow(/options\.data/);
  });
});

describe('an options header', () => {
  /** Every kind of padding in an unusual order. */
  const ODD = fromHex('3c02 00 01020102 00 00 9e03a0b0c0 0100 3e00 010300ff00 00');

  it('is read with its padding as received', () => {
    const { nextHeader, options } = OptionsHeader.read(ODD);
    expect(nextHeader).toBe(60);
    expect(options).toEqual([
      { kind: 'pad1' },
      { kind: 'padn', data: fromHex('0102') },
      { kind: 'pad1' },
      { kind: 'pad1' },
      { kind: 'option', type: 0x9e, data: fromHex('a0b0c0') },
      { kind: 'padn', data: fromHex('') },
      { kind: 'option', type: 0x3e, data: fromHex('') },
      { kind: 'padn', data: fromHex('00ff00') },
      { kind: 'pad1' },
    ]);
  });

  const fieldBytes = fc.oneof(fc.constant([0]),
    fc.tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 60 })).map(([t, d]) => [t, d.length, ...d]));
  const headers = fc.tuple(bits(8), fc.array(fieldBytes, { maxLength: 12 })).map(([nextHeader, fields]) => {
    const contents = fields.flat();
    while (contents.length % 8 !== 6) contents.push(0);
    return Uint8Array.from([nextHeader, (contents.length + 2) / 8 - 1, ...contents]);
  });

  it('is rebuilt byte for byte', () => {
    expect(toHex(OptionsHeader.write(OptionsHeader.read(ODD)))).toBe(toHex(ODD));
    fc.assert(fc.property(headers, (bytes) => {
      expect(toHex(OptionsHeader.write(OptionsHeader.read(bytes)))).toBe(toHex(bytes));
    }));
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(bits(8), alignedOptions, (nextHeader, aligned) => {
      const header = { nextHeader, options: OptionsHeader.layOut(aligned) };
      expect(OptionsHeader.read(OptionsHeader.write(header))).toEqual(header);
    }));
  });

  it('is rebuilt byte for byte from Fast CNPs and IOAM packets of other senders', () => {
    const frames = readKnownFrames().filter(({ truth }) => /^(alt_types\/)?(fastcnp|hbh)/.test(truth.kind!));
    expect(frames.length).toBeGreaterThan(20);
    for (const { truth, bytes } of frames) {
      const at = new Ethernet.View(bytes).payloadOffset + 40;
      const view = new OptionsHeader.View(bytes, at);
      const header = OptionsHeader.read(bytes, at);
      const whole = bytes.subarray(at, view.payloadOffset);
      expect(toHex(OptionsHeader.write(header)), truth.kind).toBe(toHex(whole));
      const found = readOptions(bytes, { type: 60, offset: at, bytes: whole.length });
      expect(header.options.filter(({ kind }) => kind === 'option')).toEqual(
        found.map(({ type, dataOffset, dataBytes }) => ({
          kind: 'option',
          type,
          data: bytes.slice(dataOffset, dataOffset + dataBytes),
        })),
      );
    }
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < ODD.length; length++) {
      expect(() => OptionsHeader.read(ODD.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'invalid-packet', layer: 'ipv6 options header' }),
      );
      expect(() => new OptionsHeader.View(ODD.subarray(0, length))).toThrow(RoceError);
    }
  });

  it('is rejected if an option exceeds it, for any following bytes', () => {
    for (const hex of ['1100 3e05 00000000', '1100 00000000 3e01', '1100 0000000000 3e', '1100 0105 00000000']) {
      const bytes = fromHex(`${hex} ${'00'.repeat(16)}`);
      expect(() => OptionsHeader.read(bytes)).toThrow(expect.objectContaining({ code: 'invalid-packet' }));
      expect(() => new OptionsHeader.View(bytes)).toThrow(/ipv6 option .* needs/);
    }
  });

  it('states the number of missing bytes of an option', () => {
    for (const [hex, required] of [['1100 0000000000 3e', 2], ['1100 00 3e06 000000', 8]] as const) {
      expect(() => OptionsHeader.read(fromHex(hex))).toThrow(expect.objectContaining({ required }));
    }
  });

  it.each([
    ['options.type', { kind: 'option', type: 0, data: new Uint8Array(4) }],
    ['options.type', { kind: 'option', type: 1, data: new Uint8Array(4) }],
    ['options.type', { kind: 'option', type: 256, data: new Uint8Array(4) }],
    ['options.data', { kind: 'option', type: 2, data: new Uint8Array(260) }],
    ['options.data', { kind: 'padn', data: new Uint8Array(260) }],
  ] as const)('is rejected by name of %s when a field is out of range', (name, field) => {
    expect(() => OptionsHeader.write({ nextHeader: 17, options: [field] })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: `optionsHeader.${name}` }),
    );
  });

  it('is written without additional padding', () => {
    const options: OptionField[] = [{ kind: 'option', type: 0x3e, data: new Uint8Array(3) }];
    expect(() => OptionsHeader.write({ nextHeader: 17, options })).toThrow(
      /^optionsHeader: length of the ipv6 options header must be a multiple of 8 between 2 and 2,048 bytes \(got 7\)\.$/,
    );
    expect(() => OptionsHeader.write({ nextHeader: 17, options: [] })).toThrow(/options header must be/);
    const whole = [...options, { kind: 'pad1' } as const];
    expect(toHex(OptionsHeader.write({ nextHeader: 17, options: whole }))).toBe('11003e0300000000');
    expect(() => OptionsHeader.write({ nextHeader: 256, options: whole })).toThrow(/optionsHeader\.nextHeader/);
  });

  it('overwrites the old bytes of a target, and rejects one that is too short', () => {
    const target = new Uint8Array(26).fill(0xee);
    expect(OptionsHeader.writeInto(target, 1, OptionsHeader.read(ODD))).toBe(25);
    expect(toHex(target)).toBe(`ee${toHex(ODD)}ee`);
    expect(() => OptionsHeader.writeInto(target, 3, OptionsHeader.read(ODD))).toThrow(/needs .* available/);
  });
});

describe('an extension header of any kind', () => {
  const headers = fc.tuple(bits(8), fc.nat(20)).chain(([nextHeader, units]) =>
    bytes(6 + 8 * units).map((contents) => Uint8Array.from([nextHeader, units, ...contents]))
  );

  it('is the inverse of its reader, both ways', () => {
    fc.assert(fc.property(headers, (bytes) => {
      const header = ExtensionHeader.read(bytes);
      expect(header.contents).toHaveLength(bytes.length - 2);
      expect(ExtensionHeader.write(header)).toEqual(bytes);
      expect(ExtensionHeader.read(ExtensionHeader.write(header))).toEqual(header);
    }));
  });

  it('is rejected if truncated at any length', () => {
    const bytes = fromHex('3c01 0102030405060708090a0b0c0d0e');
    expect(new ExtensionHeader.View(bytes).payloadOffset).toBe(16);
    expect(toHex(new ExtensionHeader.View(bytes).contents)).toBe('0102030405060708090a0b0c0d0e');
    for (let length = 0; length < bytes.length; length++) {
      expect(() => ExtensionHeader.read(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'invalid-packet', available: length }),
      );
    }
  });

  it('has 8 to 2048 bytes, and the length of its contents', () => {
    expect(ExtensionHeader.write({ nextHeader: 6, contents: new Uint8Array(2046) })).toHaveLength(2048);
    for (const length of [0, 5, 7, 2054]) {
      expect(() => ExtensionHeader.write({ nextHeader: 6, contents: new Uint8Array(length) })).toThrow(
        /extension header must be/,
      );
    }
    const stated = { nextHeader: 6, headerExtLen: 1, contents: new Uint8Array(6) };
    expect(() => ExtensionHeader.write(stated)).toThrow(
      /^extensionHeader\.headerExtLen must be 0 or absent \(got 1\)\.$/,
    );
    expect(() => ExtensionHeader.writeInto(new Uint8Array(8), 1, { ...stated, headerExtLen: 0 })).toThrow(
      /needs .* available/,
    );
  });
});

describe('the builder of one option', () => {
  it('accepts an offset that one padding option can reach, and names a value out of range', () => {
    const data = new Uint8Array(2);
    expect(Ipv6Option.writeHeader(0x3e, data, 259)).toHaveLength(264);
    for (const at of [0, 1, 260, 2.5]) expect(() => Ipv6Option.writeHeader(0x3e, data, at)).toThrow(/option\.offset/);
    expect(() => Ipv6Option.writeHeader(256, data, 2)).toThrow(/options\.type/);
    expect(() => Ipv6Option.writeHeader(0x3e, new Uint8Array(256), 2)).toThrow(/options\.data/);
    expect(() => Ipv6Option.writeHeader(0x3e, data, 2, 256)).toThrow(/nextHeader/);
  });
});

describe('layouts of options', () => {
  it('of the extension header', () => {
    const parse = (head: Uint8Array) => ExtensionHeader.read(Uint8Array.from([...head, ...new Uint8Array(2046)]));
    // The reader slices by the length, so any length is valid before 2046 bytes.
    expectLayout(ExtensionHeader, parse);
  });

  it('of an option', () => {
    const parse = (option: Uint8Array) => {
      const header = Uint8Array.from([17, 32, ...option, ...new Uint8Array(262 - option.length)]);
      return readOptions(header, { type: 60, offset: 0, bytes: header.length })[0]!;
    };
    expectLayout(Ipv6Option, parse, {
      repair: (option) => {
        option[0] = Math.max(2, option[0]!);
      },
    });
  });

  const parseFastCnp = (bytes: Uint8Array) => {
    const { optionType, originalDestination, trace } = parseFastCnpOptions(bytes, {
      type: 60,
      offset: 0,
      bytes: bytes.length,
    });
    return { ...trace, optionType, originalDestination, nextHeader: bytes[0] };
  };

  it.each([
    ['8n+6', FastCnpOption1, '01020000', 2, 6],
    ['compact', FastCnpOption1Compact, '01020000', 20, 2],
  ])('of Fast CNP option 1, %s', (_, layout, padding, paddingAt, optionAt) => {
    const repair = (bytes: Uint8Array) => {
      bytes[1] = 2;
      bytes.set(fromHex(padding), paddingAt);
      bytes.set([0x9e, 16], optionAt);
    };
    expectLayout(layout, parseFastCnp, { repair, notInValue: ['headerExtLen', 'padding', 'dataBytes'] });
    expect(layout.fields.find(({ name }) => name === 'optionType')!.offset % 4).toBe(2);
  });

  it('of Fast CNP option 2', () => {
    const parse = (option: Uint8Array) =>
      parseFastCnp(Uint8Array.from([17, 4, 1, 0, ...option, ...new Uint8Array(24), 1, 6, ...new Uint8Array(6)]));
    const repair = (option: Uint8Array) => option.set([0x9e, 26]);
    expectLayout(FastCnpOption2, parse, { repair, notInValue: ['dataBytes', 'reserved8'] });
  });
});

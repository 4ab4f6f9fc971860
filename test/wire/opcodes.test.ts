import { describe, expect, it } from 'vitest';
import { Bth, Opcode } from '../../src/wire/roce/bth.js';

/** Every defined opcode in full: opcode, name, extended headers. */
const TABLE = `
  00 | RC SEND first |
  01 | RC SEND middle |
  02 | RC SEND last |
  03 | RC SEND last with immediate | immdt
  04 | RC SEND only |
  05 | RC SEND only with immediate | immdt
  06 | RC RDMA WRITE first | reth
  07 | RC RDMA WRITE middle |
  08 | RC RDMA WRITE last |
  09 | RC RDMA WRITE last with immediate | immdt
  0a | RC RDMA WRITE only | reth
  0b | RC RDMA WRITE only with immediate | reth immdt
  0c | RC RDMA READ request | reth
  0d | RC RDMA READ response first | aeth
  0e | RC RDMA READ response middle |
  0f | RC RDMA READ response last | aeth
  10 | RC RDMA READ response only | aeth
  11 | RC ACKNOWLEDGE | aeth
  12 | RC ATOMIC ACKNOWLEDGE | aeth atomic-ack-eth
  13 | RC ATOMIC compare and swap | atomic-eth
  14 | RC ATOMIC fetch and add | atomic-eth
  16 | RC SEND last with invalidate | ieth
  17 | RC SEND only with invalidate | ieth
  20 | UC SEND first |
  21 | UC SEND middle |
  22 | UC SEND last |
  23 | UC SEND last with immediate | immdt
  24 | UC SEND only |
  25 | UC SEND only with immediate | immdt
  26 | UC RDMA WRITE first | reth
  27 | UC RDMA WRITE middle |
  28 | UC RDMA WRITE last |
  29 | UC RDMA WRITE last with immediate | immdt
  2a | UC RDMA WRITE only | reth
  2b | UC RDMA WRITE only with immediate | reth immdt
  40 | RD SEND first | rdeth deth
  41 | RD SEND middle | rdeth deth
  42 | RD SEND last | rdeth deth
  43 | RD SEND last with immediate | rdeth deth immdt
  44 | RD SEND only | rdeth deth
  45 | RD SEND only with immediate | rdeth deth immdt
  46 | RD RDMA WRITE first | rdeth deth reth
  47 | RD RDMA WRITE middle | rdeth deth
  48 | RD RDMA WRITE last | rdeth deth
  49 | RD RDMA WRITE last with immediate | rdeth deth immdt
  4a | RD RDMA WRITE only | rdeth deth reth
  4b | RD RDMA WRITE only with immediate | rdeth deth reth immdt
  4c | RD RDMA READ request | rdeth deth reth
  4d | RD RDMA READ response first | rdeth aeth
  4e | RD RDMA READ response middle | rdeth
  4f | RD RDMA READ response last | rdeth aeth
  50 | RD RDMA READ response only | rdeth aeth
  51 | RD ACKNOWLEDGE | rdeth aeth
  52 | RD ATOMIC ACKNOWLEDGE | rdeth aeth atomic-ack-eth
  53 | RD ATOMIC compare and swap | rdeth deth atomic-eth
  54 | RD ATOMIC fetch and add | rdeth deth atomic-eth
  55 | RD RESYNC | rdeth deth
  64 | UD SEND only | deth
  65 | UD SEND only with immediate | deth immdt
  81 | CNP |
  a0 | XRC SEND first | xrceth
  a1 | XRC SEND middle | xrceth
  a2 | XRC SEND last | xrceth
  a3 | XRC SEND last with immediate | xrceth immdt
  a4 | XRC SEND only | xrceth
  a5 | XRC SEND only with immediate | xrceth immdt
  a6 | XRC RDMA WRITE first | xrceth reth
  a7 | XRC RDMA WRITE middle | xrceth
  a8 | XRC RDMA WRITE last | xrceth
  a9 | XRC RDMA WRITE last with immediate | xrceth immdt
  aa | XRC RDMA WRITE only | xrceth reth
  ab | XRC RDMA WRITE only with immediate | xrceth reth immdt
  ac | XRC RDMA READ request | xrceth reth
  ad | XRC RDMA READ response first | aeth
  ae | XRC RDMA READ response middle |
  af | XRC RDMA READ response last | aeth
  b0 | XRC RDMA READ response only | aeth
  b1 | XRC ACKNOWLEDGE | aeth
  b2 | XRC ATOMIC ACKNOWLEDGE | aeth atomic-ack-eth
  b3 | XRC ATOMIC compare and swap | xrceth atomic-eth
  b4 | XRC ATOMIC fetch and add | xrceth atomic-eth
  b6 | XRC SEND last with invalidate | xrceth ieth
  b7 | XRC SEND only with invalidate | xrceth ieth
`;

interface Row {
  readonly opcode: number;
  readonly name: string;
  readonly kinds: readonly string[];
}

const ROWS: readonly Row[] = TABLE.trim().split('\n').map((line) => {
  const [opcode, name, kinds] = line.split('|').map((cell) => cell.trim());
  return { opcode: parseInt(opcode!, 16), name: name!, kinds: (kinds ?? '').split(' ').filter(Boolean) };
});
const BY_OPCODE = new Map(ROWS.map((row) => [row.opcode, row]));
const TRANSPORTS = ['RC', 'UC', 'RD', 'UD', 'CNP', 'XRC', undefined, undefined];
const OPCODES = Array.from({ length: 256 }, (_, opcode) => opcode);
const NO_BYTES = [-1, 256, 1.5, NaN, Infinity, 0x100 + Bth.OPCODE_CNP];

const hex = (opcode: number) => `0x${opcode.toString(16)}`;

describe('an opcode', () => {
  it('has the name of its transport and operation, or none', () => {
    expect(ROWS).toHaveLength(23 + 12 + 22 + 2 + 1 + 23);
    for (const opcode of OPCODES) expect(Opcode.nameOf(opcode), hex(opcode)).toBe(BY_OPCODE.get(opcode)?.name);
  });

  it('is defined if and only if it is in the table', () => {
    for (const opcode of OPCODES) expect(Opcode.isDefined(opcode), hex(opcode)).toBe(BY_OPCODE.has(opcode));
  });

  it('identifies its transport by the top three bits, whether defined or not', () => {
    for (const opcode of OPCODES) expect(Opcode.transport(opcode)).toBe(TRANSPORTS[Math.floor(opcode / 32)]);
  });

  it('determines the extended headers, in wire order; an undefined one has none', () => {
    for (const opcode of OPCODES) {
      expect(Opcode.extendedHeadersOf(opcode), hex(opcode)).toEqual(BY_OPCODE.get(opcode)?.kinds ?? []);
    }
  });

  it('has the same extended headers as a bit set', () => {
    for (const opcode of OPCODES) {
      const kinds = BY_OPCODE.get(opcode)?.kinds ?? [];
      const bits = kinds.map((kind) => 2 ** (Opcode.EXTENDED_HEADER_KINDS as readonly string[]).indexOf(kind));
      expect(Opcode.extendedHeaderSet(opcode)).toBe(bits.reduce((sum, bit) => sum + bit, 0));
    }
  });

  it('has one shared frozen list, so that a query does not allocate', () => {
    for (const opcode of OPCODES) {
      expect(Opcode.extendedHeadersOf(opcode)).toBe(Opcode.extendedHeadersOf(opcode));
      expect(Object.isFrozen(Opcode.extendedHeadersOf(opcode))).toBe(true);
    }
  });

  it('that is not a byte is undefined', () => {
    for (const opcode of NO_BYTES) {
      expect(Opcode.transport(opcode)).toBeUndefined();
      expect(Opcode.nameOf(opcode)).toBeUndefined();
      expect(Opcode.isDefined(opcode)).toBe(false);
      expect(Opcode.extendedHeadersOf(opcode)).toEqual([]);
      expect(Opcode.extendedHeaderSet(opcode)).toBe(0);
    }
  });
});

describe('the constants of opcodes', () => {
  it('are transport plus operation', () => {
    expect(Opcode.nameOf(Opcode.TRANSPORT_RC | Opcode.SEND_FIRST)).toBe('RC SEND first');
    expect(Opcode.nameOf(Opcode.TRANSPORT_UC | Opcode.WRITE_ONLY_IMMEDIATE)).toBe('UC RDMA WRITE only with immediate');
    expect(Opcode.nameOf(Opcode.TRANSPORT_RD | Opcode.RESYNC)).toBe('RD RESYNC');
    expect(Opcode.nameOf(Opcode.TRANSPORT_UD | Opcode.SEND_ONLY)).toBe('UD SEND only');
    expect(Opcode.nameOf(Opcode.TRANSPORT_XRC | Opcode.SEND_ONLY_INVALIDATE)).toBe('XRC SEND only with invalidate');
    expect(Bth.OPCODE_CNP & Opcode.TRANSPORT_MASK).toBe(Opcode.TRANSPORT_CNP);
  });

  it.each([
    ['SEND_FIRST', 'SEND first'],
    ['SEND_MIDDLE', 'SEND middle'],
    ['SEND_LAST', 'SEND last'],
    ['SEND_LAST_IMMEDIATE', 'SEND last with immediate'],
    ['SEND_ONLY', 'SEND only'],
    ['SEND_ONLY_IMMEDIATE', 'SEND only with immediate'],
    ['WRITE_FIRST', 'RDMA WRITE first'],
    ['WRITE_MIDDLE', 'RDMA WRITE middle'],
    ['WRITE_LAST', 'RDMA WRITE last'],
    ['WRITE_LAST_IMMEDIATE', 'RDMA WRITE last with immediate'],
    ['WRITE_ONLY', 'RDMA WRITE only'],
    ['WRITE_ONLY_IMMEDIATE', 'RDMA WRITE only with immediate'],
    ['READ_REQUEST', 'RDMA READ request'],
    ['READ_RESPONSE_FIRST', 'RDMA READ response first'],
    ['READ_RESPONSE_MIDDLE', 'RDMA READ response middle'],
    ['READ_RESPONSE_LAST', 'RDMA READ response last'],
    ['READ_RESPONSE_ONLY', 'RDMA READ response only'],
    ['ACKNOWLEDGE', 'ACKNOWLEDGE'],
    ['ATOMIC_ACKNOWLEDGE', 'ATOMIC ACKNOWLEDGE'],
    ['COMPARE_AND_SWAP', 'ATOMIC compare and swap'],
    ['FETCH_AND_ADD', 'ATOMIC fetch and add'],
    ['SEND_LAST_INVALIDATE', 'SEND last with invalidate'],
    ['SEND_ONLY_INVALIDATE', 'SEND only with invalidate'],
  ])('OPERATION_%s is %s', (constant, name) => {
    const operation = (Opcode as unknown as Record<string, number>)[constant]!;
    expect(Opcode.nameOf(operation)).toBe(`RC ${name}`);
    expect(operation & Opcode.OPERATION_MASK).toBe(operation);
  });

  it.each([
    ['RDETH', 'rdeth'],
    ['DETH', 'deth'],
    ['XRCETH', 'xrceth'],
    ['RETH', 'reth'],
    ['ATOMIC_ETH', 'atomic-eth'],
    ['AETH', 'aeth'],
    ['ATOMIC_ACK_ETH', 'atomic-ack-eth'],
    ['IMMDT', 'immdt'],
    ['IETH', 'ieth'],
  ] as const)('EXTENDED_%s is the bit of %s', (constant, kind) => {
    expect(Opcode[`EXTENDED_${constant}`]).toBe(1 << Opcode.EXTENDED_HEADER_KINDS.indexOf(kind));
  });
});

/**
 * Compares three views of packets that `build` writes, in every field that tshark has a name for: the stack that was
 * built, the layers that `dissect` returns, and the row that tshark outputs.
 *
 * Checked with tshark 4.0; support/tshark-misreads.ts lists the fields that it reads differently.
 */
import { beforeAll, expect, it } from 'vitest';
import { LINK_TYPE_ETHERNET } from '../../src/capture/link-types.js';
import { build, dissect, type Packet } from '../../src/packet/index.js';
import { Opcode } from '../../src/wire/roce/bth.js';
import { describeWithTool } from '../support/foreign-tools.js';
import { IOAM_STACKS } from './support/ioam-stacks.js';
import { CHECKSUM_STACKS, EXTENSION_STACKS, FAST_CNP_STACKS, LINK_STACKS, MAC_CONTROL_STACKS, ROCE_V1_STACKS,
  TUNNEL_STACKS, VLAN_STACKS } from './support/ip-stacks.js';
import { CNP_STACKS, OPCODE_STACKS, SYNDROME_STACKS, type Stack, bytesOf } from './support/roce-stacks.js';
import { FIELD_KINDS, fieldsOf } from './support/tshark-fields.js';
import { withoutMisreads } from './support/tshark-misreads.js';
import { type FieldRow, readFieldsOf } from './support/tshark.js';

const GROUPS: readonly [title: string, stacks: readonly Stack[]][] = [
  ['every opcode with a meaning, over IPv4 and IPv6', OPCODE_STACKS],
  ['every syndrome of an acknowledgement', SYNDROME_STACKS],
  ['CNPs', CNP_STACKS],
  ['Fast CNPs with option 1 in both encodings, and with option 2', FAST_CNP_STACKS],
  ['tags of 802.1Q and 802.1ad', VLAN_STACKS],
  ['traces of IOAM with each bit of the trace type', IOAM_STACKS],
  ['options, fragments and routing headers', EXTENSION_STACKS],
  ['checksums, and IPv4 with options and flags', CHECKSUM_STACKS],
  ['IP in IP', TUNNEL_STACKS],
  ['PAUSE and PFC', MAC_CONTROL_STACKS],
  ['RoCEv1', ROCE_V1_STACKS],
];

/** A stack as written, as `dissect` reads it, and as tshark reads it. */
interface Reading {
  readonly stack: Stack;
  readonly packet: Packet;
  readonly ours: FieldRow;
  readonly theirs: FieldRow;
}

function readAll(tshark: string, stacks: readonly Stack[], linkType = LINK_TYPE_ETHERNET): Reading[] {
  const frames = stacks.map((stack) => build(stack));
  const rows = readFieldsOf(tshark, frames, FIELD_KINDS, linkType);
  return stacks.map((stack, index) => {
    const packet = dissect(frames[index]!, { linkType });
    return { stack, packet, ours: fieldsOf(packet, frames[index]!), theirs: rows[index]! };
  });
}

function expectAgreement(readings: readonly Reading[]): void {
  for (const { stack, packet } of readings) {
    expect(packet.layers.map(({ kind, value }) => ({ kind, value }))).toMatchObject(stack.map(givenPart));
  }
  const ours = readings.map((reading) => withoutMisreads(reading.ours, reading.packet));
  const theirs = readings.map((reading) => withoutMisreads(reading.theirs, reading.packet));
  expect(theirs).toEqual(ours);
}

/** The layer's fields that the stack states, without a checksum that `build` computes. */
function givenPart({ kind, value }: Stack[number]): object {
  if (kind !== 'udp') return { kind, ...(value && { value }) };
  const { checksum, ...rest } = value ?? {};
  return { kind, value: checksum === 'computed' ? rest : { ...rest, ...(checksum !== undefined && { checksum }) } };
}

describeWithTool('tshark', 'tshark and dissect agree on packets from build', (tshark) => {
  let readings: readonly Reading[] = [];
  beforeAll(() => {
    readings = readAll(tshark, GROUPS.flatMap(([, stacks]) => stacks));
  });
  const readingsOf = (stacks: readonly Stack[]) => readings.filter(({ stack }) => stacks.includes(stack));

  it.each(GROUPS)('%s', (_, stacks) => {
    expect(readingsOf(stacks)).toHaveLength(stacks.length);
    expectAgreement(readingsOf(stacks));
  });

  it('UDP checksums that build computes are correct, also with segments left in a routing header', () => {
    const computed = readings.filter(({ stack }) =>
      stack.some(({ kind, value }) => kind === 'udp' && value?.checksum === 'computed')
    );
    expect(computed.length).toBeGreaterThan(100);
    for (const { theirs } of computed) expect(theirs['udp.checksum.status']).toEqual(['1']);
  });

  it('IPv4 checksums are correct, except in the frame built with a wrong one', () => {
    const states = readings.flatMap(({ theirs }) => theirs['ip.checksum.status'] ?? []);
    expect(states.length).toBeGreaterThan(300);
    expect(states.filter((state) => state !== '1')).toEqual(['0']);
  });

  it('build sets DF as in Annex A17, the UDP port and the next headers by default', () => {
    const fields = { 'ip.flags.df': ['1'], 'ip.proto': ['17'], 'udp.dstport': ['4791'], 'eth.type': ['2048'] };
    const overIpv4 = readingsOf(OPCODE_STACKS).filter(({ packet }) => packet.ip?.version === 4);
    expect(overIpv4).toHaveLength(OPCODE_STACKS.length / 2);
    for (const { theirs } of overIpv4) expect(theirs).toMatchObject(fields);
    const [fastCnp] = readingsOf(FAST_CNP_STACKS);
    expect(fastCnp!.theirs).toMatchObject({
      'eth.type': ['34525'],
      'ipv6.nxt': ['60'],
      'ipv6.dstopts.nxt': ['17'],
      'udp.dstport': ['4791'],
    });
  });

  it('headers of reliable datagrams, when 8 bytes precede them, which is where tshark expects them', () => {
    // tshark omits the RDETH of an ACKNOWLEDGE, and does not know RESYNC.
    const isKnown = (opcode: number) => Opcode.transport(opcode) === 'RD' && opcode !== 0x51 && opcode !== 0x55;
    const straight = readings.filter(({ stack }) =>
      stack.some(({ kind, value }) => kind === 'bth' && value && isKnown(value.opcode))
    );
    const names = /^infiniband\.(rdeth|deth|reth|atomiceth|aeth|atomicacketh|immdt)\./;
    const pick = (row: FieldRow) => Object.fromEntries(Object.entries(row).filter(([name]) => names.test(name)));
    const shifted = readAll(tshark, straight.map(({ stack }) => shift(stack)));
    expect(straight).toHaveLength(40);
    expect(shifted.map(({ theirs }) => pick(theirs))).toEqual(straight.map(({ ours }) => pick(ours)));
  });

  it.each(LINK_STACKS)('frames of link type %i', (linkType, stacks) => {
    expectAgreement(readAll(tshark, stacks, linkType));
  });

  it('every compared field has a value in at least one frame', () => {
    const onLinks = new Set(Object.keys(FIELD_KINDS).filter((name) => name.startsWith('sll.') || name === 'eth.len'));
    const seen = new Set(readings.flatMap(({ theirs }) => Object.keys(theirs)));
    expect(Object.keys(FIELD_KINDS).filter((name) => !seen.has(name) && !onLinks.has(name))).toEqual([]);
  });
});

/** The stack with 8 bytes inserted after the BTH. */
function shift(stack: Stack): Stack {
  const behindBth = stack.findIndex(({ kind }) => kind === 'bth') + 1;
  const gap = { kind: 'payload', value: { bytes: bytesOf(8) } } as const;
  return [...stack.slice(0, behindBth), gap, ...stack.slice(behindBth)];
}

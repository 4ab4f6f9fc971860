/**
 * Exchanges RoCE packets with scapy's RoCE module in both directions, and compares fields and ICRC. Checked with scapy
 * 2.5, which writes zeros as the ICRC over IPv6, with a warning; later versions compute it, and it is then compared.
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { build, dissect } from '../../src/packet/index.js';
import { Opcode } from '../../src/wire/roce/bth.js';
import { describeWithPython, runTool } from '../support/foreign-tools.js';
import { fromHex, toHex } from '../wire/support/hex.js';
import { VLAN_STACKS } from './support/ip-stacks.js';
import { CNP_STACKS, OPCODE_STACKS, SYNDROME_STACKS, type Stack } from './support/roce-stacks.js';
import { type ScapyFields, type ScapyReading, aethFields, bthFields, readWithScapy,
  scapyFieldsOf } from './support/scapy-fields.js';

const ONE_TAG = VLAN_STACKS.filter(([link]) =>
  link?.kind === 'ethernet' && link.value?.tags?.length === 1 && link.value.tags[0]?.tpid === 0x8100
);
const GROUPS: readonly [title: string, stacks: readonly Stack[]][] = [
  ['every opcode with a meaning', OPCODE_STACKS],
  ['every syndrome of an acknowledgement', SYNDROME_STACKS],
  ['CNPs', CNP_STACKS],
  ['packets behind a VLAN tag', ONE_TAG],
];

/** The output of support/scapy-build.py. */
interface Built {
  readonly opcodes: Readonly<Record<string, string>>;
  readonly packets: readonly {
    readonly title: string;
    readonly frame: string;
    readonly fields: ScapyFields;
    readonly aeth: ScapyFields | null;
    readonly knowsIcrc: boolean;
  }[];
}

const script = (name: string) => fileURLToPath(new URL(`support/${name}`, import.meta.url));

describeWithPython('scapy.contrib.roce', 'scapy reads packets from build', (python) => {
  const frames = new Map<Stack, Uint8Array>(
    GROUPS.flatMap(([, stacks]) => stacks.map((stack) => [stack, build(stack)] as const)),
  );
  const readings = new Map<Stack, ScapyReading>();
  beforeAll(() => {
    const read = readWithScapy(python, [...frames.values()]);
    [...frames.keys()].forEach((stack, index) => readings.set(stack, read[index]!));
  });

  it.each(GROUPS)('%s with all fields', (_, stacks) => {
    const ours = stacks.map((stack) => scapyFieldsOf(dissect(frames.get(stack)!), frames.get(stack)!));
    expect(stacks.length).toBeGreaterThan(3);
    expect(stacks.map((stack) => readings.get(stack))).toMatchObject(ours);
  });

  it.each(GROUPS)('%s, and computes the same ICRC', (_, stacks) => {
    const isOverIpv4 = (stack: Stack) => stack.some(({ kind }) => kind === 'ipv4');
    const read = stacks.filter((stack) => isOverIpv4(stack) || knowsIcrc(readings.get(stack)!)).map((stack) =>
      readings.get(stack)!
    );
    expect(read.length).toBeGreaterThanOrEqual(stacks.length / 2);
    expect(read.map(({ computed }) => computed)).toEqual(read.map(({ icrc }) => icrc));
  });

  it('and detects a wrong ICRC', () => {
    const wrong = build(CNP_STACKS[0]!);
    wrong[wrong.length - 1]! ^= 1;
    const [reading] = readWithScapy(python, [wrong]);
    expect(reading!.computed).not.toBe(reading!.icrc);
    expect(dissect(wrong).icrc).toBe('wrong');
  });
});

function knowsIcrc({ computed }: ScapyReading): boolean {
  return computed !== '00000000';
}

describeWithPython('scapy.contrib.roce', 'dissect reads packets that scapy builds', (python) => {
  let built: Built = { opcodes: {}, packets: [] };
  beforeAll(() => {
    built = JSON.parse(runTool(python, [script('scapy-build.py')])) as Built;
  });

  it('with the fields that they were built from', () => {
    expect(built.packets).toHaveLength(24);
    for (const { title, frame, fields, aeth } of built.packets) {
      const { layers, trouble } = dissect(fromHex(frame));
      const bth = layers.find(({ kind }) => kind === 'bth');
      const ack = layers.find(({ kind }) => kind === 'aeth');
      expect(trouble, title).toBeUndefined();
      expect(bth?.kind === 'bth' && bthFields(bth.value), title).toEqual(fields);
      expect(ack?.kind === 'aeth' ? aethFields(ack.value) : null, title).toEqual(aeth);
    }
  });

  it('with the classes CNP, acknowledgement, NAK and data', () => {
    const classes = built.packets.map(({ frame }) => dissect(fromHex(frame)).class);
    const perCarrier = ['cnp', 'ack', 'nak', 'data', 'data', 'data'];
    expect(classes).toEqual([...perCarrier, ...perCarrier, ...perCarrier, ...perCarrier]);
  });

  it('with a correct ICRC if scapy computes one, which it always does over IPv4', () => {
    const verdicts = built.packets.map(({ title, frame }) => [title, dissect(fromHex(frame)).icrc]);
    expect(verdicts).toEqual(
      built.packets.map(({ title, knowsIcrc: isKnown }) => [title, isKnown ? 'right' : 'wrong']),
    );
    expect(built.packets.filter(({ knowsIcrc: isKnown }) => isKnown).length).toBeGreaterThanOrEqual(18);
  });

  it('into layers from which build restores the same bytes', () => {
    for (const { frame } of built.packets) expect(toHex(build(dissect(fromHex(frame)).layers))).toBe(frame);
  });

  it('with the same names of opcodes', () => {
    const names = Object.entries(built.opcodes).map(([number, name]) => [Number(number), name]);
    expect(names.length).toBeGreaterThan(50);
    expect(names.map(([number]) => [number, scapyName(Number(number))])).toEqual(names);
  });
});

/** RC_RDMA_WRITE_FIRST for "RC RDMA WRITE first"; scapy's atomic operations are COMPARE_SWAP and FETCH_ADD. */
function scapyName(opcode: number): string | undefined {
  return Opcode.nameOf(opcode)?.replace(/ATOMIC (\w+) and (\w+)/, '$1 $2').toUpperCase().replaceAll(' ', '_');
}

/**
 * Compares tshark with `dissect` on a thousand random nestings of tags and tunnels: the innermost packet has the same
 * addresses, ECN, opcode, QPN and PSN.
 *
 * Checked with tshark 4.0. Mellanox's mirror header, which it does not decode, is excluded.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { build, dissect, type LayerSpec, type Packet } from '../../src/packet/index.js';
import { randomNesting } from '../packet/support/random-stacks.js';
import { describeWithTool } from '../support/foreign-tools.js';
import { toHex } from '../wire/support/hex.js';
import { readFieldsOf, type FieldKind, type FieldRow } from './support/tshark.js';

const STACKS = 1000;
const SEED = 20_261_125;
const UNDECODED = ['mellanox-mirror'];

const FIELDS: Readonly<Record<string, FieldKind>> = {
  'ip.src': 'address',
  'ip.dst': 'address',
  'ip.dsfield.ecn': 'number',
  'ipv6.src': 'address',
  'ipv6.dst': 'address',
  'ipv6.tclass.ecn': 'number',
  'infiniband.bth.opcode': 'number',
  'infiniband.bth.destqp': 'number',
  'infiniband.bth.psn': 'number',
};

/** The fields of the innermost packet under tshark's names. */
function innermost(packet: Packet): FieldRow {
  const { ip } = packet;
  const bth = packet.layers.find(({ kind }) => kind === 'bth')?.value as {
    opcode: number;
    destQpn: number;
    psn: number;
  };
  const names = ip?.version === 4 ?
    ['ip.src', 'ip.dst', 'ip.dsfield.ecn'] :
    ['ipv6.src', 'ipv6.dst', 'ipv6.tclass.ecn'];
  return {
    [names[0]!]: [toHex(ip!.source)],
    [names[1]!]: [toHex(ip!.destination)],
    [names[2]!]: [String(ip!.ecn)],
    'infiniband.bth.opcode': [String(bth.opcode)],
    'infiniband.bth.destqp': [String(bth.destQpn)],
    'infiniband.bth.psn': [String(bth.psn)],
  };
}

/** The last value of each field in `wanted`. */
function lastOf(row: FieldRow, wanted: FieldRow): FieldRow {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, (row[name] ?? []).slice(-1)]));
}

describeWithTool('tshark', 'tshark and dissect find the same innermost packet', (tshark) => {
  it(`in ${STACKS} random nestings`, () => {
    const stacks = fc.sample(randomNesting, { seed: SEED, numRuns: STACKS * 2 }).filter(isDecoded).slice(0, STACKS);
    const frames = stacks.map((stack) => build(stack));
    const rows = readFieldsOf(tshark, frames, FIELDS, 1);
    const ours = frames.map((frame) => innermost(dissect(frame)));
    expect(stacks).toHaveLength(STACKS);
    const differing = ours.flatMap((wanted, index) => {
      const theirs = lastOf(rows[index]!, wanted);
      const isEqual = JSON.stringify(theirs) === JSON.stringify(wanted);
      return isEqual ? [] : [{ kinds: stacks[index]!.map(({ kind }) => kind).join(' '), wanted, theirs }];
    });
    expect(differing.slice(0, 10)).toEqual([]);
  });
});

function isDecoded(stack: readonly LayerSpec[]): boolean {
  return !stack.some(({ kind }) => UNDECODED.includes(kind));
}

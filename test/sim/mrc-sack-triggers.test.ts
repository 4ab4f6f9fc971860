/** The causes of a SACK at a receiver of MRC, one at a time: the byte threshold is out of reach where it is not tested. */
import { describe, expect, it } from 'vitest';
import type { PacketRecord } from '../../src/sim/result.js';
import type { FaultSpec, HostSpec } from '../../src/sim/scenario/spec.js';
import { captured, MTU, overUnequalPaths, run, scenario, SLOW_RECEIVER, type Setting } from './support/mrc-star.js';

/** More than a run sends. */
const NEVER = 2 ** 31;

/** Numbers of the packets that caused the SACKs. */
const causesOf = (records: readonly PacketRecord[]): number[] =>
  records.filter(({ kind }) => kind === 'ack').map(({ mrc }) => mrc!.cause);

/** One flow from h0 to h3, and what leaves the port of the receiver. */
function causesIn(packets: number, hosts: HostSpec, more: Partial<Setting> = {}): number[] {
  return causesOf(run({ flows: [['h0', packets]], hosts, capture: ['h3:s0'], ...more }).records);
}

const dropped = (packet: number, ...arrivals: readonly number[]): FaultSpec[] =>
  arrivals.map((arrival) => ({ kind: 'drop', flow: 0, firstByte: packet * MTU, arrival }));

describe('A SACK is sent', () => {
  it('for a packet that requests one, such as the last of a flow, and for no other', () => {
    expect(causesIn(40, { mrc: { sackBytes: NEVER } })).toEqual([39]);
  });

  it('once more bytes than sackBytes have arrived, where a packet below 1,024 bytes counts as 1,024', () => {
    const eachFourth = [3, 7, 11, 15, 19];
    expect(causesIn(20, { mtuBytes: 256, mrc: { sackBytes: 4095 } })).toEqual(eachFourth);
    expect(causesIn(20, { mtuBytes: 256, mrc: { sackBytes: 4096 } })).toEqual([4, 9, 14, 19]);
  });

  it('for each packet that fills the window of the receiver, as it requests a SACK', () => {
    expect(causesIn(10, { mrc: { sackBytes: NEVER }, reorderingWindowPackets: 4 })).toEqual([3, 7, 9]);
  });

  it('for marked packets', () => {
    const { records } = captured({
      ...scenario({ flows: [['h0', 10]], hosts: { mrc: { sackBytes: NEVER } }, capture: ['s0:h3', 'h3:s0'] }),
      topology: SLOW_RECEIVER,
      switches: { pfc: false, ecn: { kminKB: 0, kmaxKB: 0, pmax: 1 } },
    });
    const marked = records.filter(({ kind, marked: isMarked }) => kind === 'data' && isMarked);
    const numbers = marked.map(({ sequence }) => sequence / MTU);
    // The first one and the last one leave an empty queue behind, and the last one asks.
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(causesOf(records)).toEqual([...numbers, 9]);
  });

  it('for a retransmission that neither requests a SACK nor arrived before', () => {
    const { records } = run({
      flows: [['h0', 2]],
      hosts: { mrc: { sackBytes: NEVER } },
      // The one that requests a SACK is lost again, so its request cannot have caused both.
      faults: [...dropped(0, 1), ...dropped(1, 1, 2)],
      capture: ['s0:h3', 'h3:s0'],
    });
    const [first] = records.filter(({ kind }) => kind === 'data');
    expect([first?.sequence, first?.mrc?.again, first?.mrc?.asks]).toEqual([0, true, false]);
    expect(causesOf(records)).toEqual([0, 1]);
  });

  it('for a duplicate of a packet that is already acknowledged cumulatively', () => {
    expectDuplicate(2, 0, dropped(1, 1, 2));
  });

  it('for a duplicate of a packet that is held behind a gap', () => {
    expectDuplicate(3, 1, [...dropped(0, 1, 2), ...dropped(2, 1, 2)]);
  });

  /**
   * It arrives over the slower path, after its retransmission; neither it nor a packet that overtook it requests a
   * SACK.
   */
  function expectDuplicate(packets: number, packet: number, faults: readonly FaultSpec[]): void {
    const spec = overUnequalPaths(packets, { mrc: { sackBytes: NEVER, reorderUs: 0 } }, faults);
    const { records } = captured(spec);
    const end = records.findIndex(({ kind, mrc }) => kind === 'ack' && mrc?.again === false) + 1;
    const before = records.slice(0, end).map(({ kind, sequence, mrc }) =>
      kind === 'data' ? [kind, sequence / MTU, mrc?.again, mrc?.asks] : [kind, mrc?.cause, mrc?.again]
    );
    expect(before).toEqual([
      ['data', packet, true, false],
      ['ack', packet, true],
      ['data', packet, false, false],
      ['ack', packet, false],
    ]);
  }
});

describe('The packets that exceed 16,384 bytes since the last SACK', () => {
  it('are four of 4,202 bytes', () => {
    expect(causesIn(18, {})).toEqual([3, 7, 11, 15, 17]);
  });

  it('are seventeen of 362 bytes, which count as 1,024 each', () => {
    expect(causesIn(40, { mtuBytes: 256 })).toEqual([16, 33, 39]);
  });

  it('are those of seventeen messages of 64 bytes', () => {
    const messages = Array.from({ length: 40 }, () => ({ from: 'h0', to: 'h3', qp: 'a', sizeBytes: 64 }));
    const { records } = captured({
      ...scenario({ flows: [], capture: ['h3:s0'] }),
      workload: { kind: 'flows', flows: messages },
    });
    // The first one requests a SACK, as no other message was posted before it was sent.
    expect(causesOf(records)).toEqual([0, 17, 34, 39]);
  });
});

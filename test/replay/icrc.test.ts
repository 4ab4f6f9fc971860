import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../src/capture/index.js';
import { build, completeStack, type LayerSpec } from '../../src/packet/index.js';
import { replay, type IcrcSummary } from '../../src/replay/index.js';
import { Icrc } from '../../src/wire/index.js';
import { computeRoceV1Icrc } from '../../src/wire/roce/roce-v1.js';
import { options } from './support/incast.js';
import { back, captured, frame } from './support/roce-frames.js';

const { parameters } = options;
const WRITE = 0x0a;
const ICRC_BYTES = 4;
const GRH_AT = 14;

async function icrcOf(frames: readonly CaptureFrame[],
  backend: 'wasm' | undefined = 'wasm'): Promise<IcrcSummary | undefined> {
  return (await replay([...frames], { parameters, engine: { backend, parser: { icrc: 'check' } } })).icrc;
}

const damage = (bytes: Uint8Array): void => {
  bytes[bytes.length - 1]! ^= 1;
};
const erase = (bytes: Uint8Array): void => {
  bytes.fill(0, -ICRC_BYTES);
};

/** A RoCEv1 SEND with a correct ICRC, after `tagCount` VLAN tags. */
function roceV1(spoil: (bytes: Uint8Array) => void = () => undefined, tagCount = 0, snapBytes?: number): CaptureFrame {
  const mac = Uint8Array.of(2, 0, 0, 0, 0, 7);
  const gid = new Uint8Array(16).fill(9);
  const tags = Array.from({ length: tagCount }, () => ({ tpid: 0x8100, priority: 3, dropEligible: false, vlanId: 7 }));
  const layers: LayerSpec[] = [
    { kind: 'ethernet', value: { source: mac, destination: mac, tags } },
    { kind: 'grh', value: { trafficClass: 106, flowLabel: 5, sourceGid: gid, destinationGid: gid } },
    { kind: 'bth', value: { opcode: 0x04, destQpn: 3, psn: 1 } },
    { kind: 'payload', value: { bytes: new Uint8Array(8).fill(1) } },
    { kind: 'icrc', value: { icrc: 0 } },
  ];
  const bytes = build(completeStack(layers));
  const icrcOffset = bytes.length - ICRC_BYTES;
  Icrc.write(bytes, icrcOffset, computeRoceV1Icrc(bytes, GRH_AT + 4 * tagCount, icrcOffset));
  spoil(bytes);
  return captured(bytes, snapBytes);
}

describe('checked ICRCs', () => {
  it('list the frames with a wrong ICRC by number in the capture, without a flow list', async () => {
    const unread: CaptureFrame = { ...frame(WRITE, 1), linkType: 250 };
    const frames = [
      unread,
      frame(WRITE, 1, { spoil: damage }),
      frame(WRITE, 2),
      unread,
      back(0x81, 0, { spoil: erase }),
    ];
    expect(await icrcOf(frames)).toEqual({ checked: 3, wrong: 2, zero: 1, cut: 0, wrongFrames: [2, 5] });
  });

  it('count frames truncated by the snap length, and none of other protocols', async () => {
    const frames = [frame(WRITE, 1, { payloadBytes: 200, snapBytes: 100 }), captured(new Uint8Array(60))];
    expect(await icrcOf(frames)).toMatchObject({ checked: 0, wrong: 0, cut: 1 });
  });

  it('list only the first 100 frames', async () => {
    const frames = Array.from({ length: 130 }, (_, psn) => frame(WRITE, psn, { spoil: damage }));
    const { wrong, wrongFrames } = (await icrcOf(frames))!;
    expect([wrong, wrongFrames.length, wrongFrames.at(-1)]).toEqual([130, 100, 100]);
  });

  it('are absent unless requested', async () => {
    expect((await replay([frame(WRITE, 1)], { parameters })).icrc).toBeUndefined();
  });

  it.each([0, 1, 2])('of RoCEv1 are verified after %i VLAN tags', async (tags) => {
    const frames = [
      roceV1(undefined, tags),
      roceV1(damage, tags),
      roceV1(erase, tags),
      roceV1(undefined, tags, 72 + 4 * tags),
    ];
    expect(await icrcOf(frames)).toEqual({ checked: 3, wrong: 2, zero: 1, cut: 1, wrongFrames: [2, 3] });
  });

  it('of RoCEv1 exclude exactly the fields that change in transit', async () => {
    const at = (offset: number, mask: number): CaptureFrame =>
      roceV1((bytes) => {
        bytes[GRH_AT + offset]! ^= mask;
      });
    // Variant fields: traffic class, flow label, hop limit, Resv8a of the BTH.
    expect(await icrcOf([at(0, 0x0f), at(1, 0xff), at(3, 0xff), at(7, 0xff), at(44, 0xff)])).toMatchObject({
      wrong: 0,
    });
    // Covered fields: source GID, destination GID, P_Key, destination QP, PSN, payload.
    expect(await icrcOf([at(8, 1), at(39, 1), at(42, 1), at(47, 1), at(51, 1), at(52, 1)])).toMatchObject({ wrong: 6 });
  });
});

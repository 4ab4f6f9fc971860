/** RoCEv2 frames of two hosts, built in memory from the values that a test states; all others are those of adapters. */
import type { CaptureFrame } from '../../../src/capture/index.js';
import { build, completeStack, type LayerSpec } from '../../../src/packet/index.js';
import { Opcode, parseIpAddress } from '../../../src/wire/index.js';
import { CmReq, CmRep, CmRtu, Mad } from '../../../src/wire/roce/cm.js';

const MAC = Uint8Array.of(2, 0, 0, 0, 0, 7);
const GID = new Uint8Array(16);
/** UD SEND Only, the opcode of all management datagrams. */
const UD_SEND_ONLY = 0x64;
const MAD_BYTES = 256;

export const A = '192.0.2.1';
export const B = '192.0.2.2';
/** Queue pair numbers; packets to B carry that of B. */
export const QP_A = 0x200;
export const QP_B = 0x118;

/** Optional values of a frame in addition to its opcode and PSN. */
export interface FrameOptions {
  readonly source?: string;
  readonly destination?: string;
  readonly destQpn?: number;
  readonly ecn?: 0 | 1 | 2 | 3;
  readonly dscp?: number;
  /** VLAN priority; no tag if undefined. */
  readonly pcp?: number;
  /** DMA length of a READ or WRITE. */
  readonly dmaLength?: number;
  readonly payloadBytes?: number;
  readonly payload?: Uint8Array;
  readonly migrationRequest?: boolean;
  /** The number of captured bytes. */
  readonly snapBytes?: number;
  /** Changes the finished bytes. */
  readonly spoil?: (bytes: Uint8Array) => void;
}

/** A frame from A to B's QP. */
export function frame(opcode: number, psn: number, options: FrameOptions = {}): CaptureFrame {
  const { source = A, destination = B, destQpn = QP_B, ecn = 2, dscp = 26, pcp, migrationRequest = true } = options;
  const { payloadBytes = opcode === 0x81 ? 16 : 0, payload = new Uint8Array(payloadBytes), spoil } = options;
  const isIpv4 = source.includes('.');
  const addresses = { source: parseIpAddress(source), destination: parseIpAddress(destination), ecn, dscp };
  const tags = pcp === undefined ? [] : [{ tpid: 0x8100, priority: pcp, dropEligible: false, vlanId: 7 }];
  const layers: LayerSpec[] = [
    { kind: 'ethernet', value: { source: MAC, destination: MAC, tags } },
    { kind: isIpv4 ? 'ipv4' : 'ipv6', value: addresses },
    { kind: 'udp', value: {} },
    { kind: 'bth', value: { opcode, destQpn, psn, migrationRequest, padCount: -payload.length & 3 } },
    ...extended(opcode, options),
    ...(payload.length === 0 ? [] : [{ kind: 'payload', value: { bytes: payload } } as LayerSpec]),
  ];
  const bytes = build(completeStack(layers));
  spoil?.(bytes);
  return captured(bytes, options.snapBytes);
}

/** A frame from B to A's QP. */
export function back(opcode: number, psn: number, options: FrameOptions = {}): CaptureFrame {
  return frame(opcode, psn, { source: B, destination: A, destQpn: QP_A, ...options });
}

export function captured(bytes: Uint8Array, snapBytes = bytes.length): CaptureFrame {
  return {
    bytes: bytes.subarray(0, snapBytes),
    capturedBytes: Math.min(snapBytes, bytes.length),
    originalBytes: bytes.length,
    linkType: 1,
    interfaceId: 0,
    section: 0,
    hasTime: true,
    epochSeconds: 5,
    picoseconds: 0,
  };
}

function extended(opcode: number, { dmaLength = 64 }: FrameOptions): LayerSpec[] {
  return Opcode.extendedHeadersOf(opcode).map((kind) =>
    ({ kind, value: VALUES[kind]?.(dmaLength) ?? {} }) as LayerSpec
  );
}

const VALUES: Partial<Record<string, (dmaLength: number) => object>> = {
  rdeth: () => ({ eeContext: 5 }),
  deth: () => ({ qKey: 0x80010000, sourceQpn: 1 }),
  xrceth: () => ({ sharedReceiveQueue: 5 }),
  reth: (dmaLength) => ({ virtualAddress: 0n, rKey: 1, dmaLength }),
  'atomic-eth': () => ({ virtualAddress: 0n, rKey: 1, swapOrAdd: 1n, compare: 1n }),
  aeth: () => ({ syndrome: 0, msn: 1 }),
  'atomic-ack-eth': () => ({ original: 1n }),
  immdt: () => ({ immediateData: 1 }),
  ieth: () => ({ rKey: 1 }),
};

/** A message of connection management, as the payload of a datagram to QP 1. */
export function cm(attributeId: number, message: Uint8Array, options: FrameOptions = {}): CaptureFrame {
  const payload = new Uint8Array(MAD_BYTES);
  payload.set(Mad.write({ managementClass: 7, classVersion: 2, method: 3, transactionId: 1n, attributeId }));
  payload.set(message, 24);
  return frame(UD_SEND_ONLY, 0, { destQpn: 1, ecn: 0, dscp: 0, payload, ...options });
}

const TO_A = { source: B, destination: A } as const;

export const req = (commId: number, qpn: number, startingPsn = 0, options: FrameOptions = {}): CaptureFrame =>
  cm(0x10, CmReq.write({
    localCommId: commId,
    serviceId: 0x0106_1234n,
    localCaGuid: 1n,
    localQpn: qpn,
    startingPsn,
    pathMtu: 3,
    primaryLocalGid: GID,
    primaryRemoteGid: GID,
    alternateLocalGid: GID,
    alternateRemoteGid: GID,
  }), options);

export const rep = (commId: number, remoteCommId: number, qpn: number, localEecn = 0): CaptureFrame =>
  cm(0x13,
    CmRep.write({ localCommId: commId, remoteCommId, localQpn: qpn, localEecn, startingPsn: 0, localCaGuid: 2n }),
    TO_A);

export const rtu = (localCommId: number, remoteCommId: number): CaptureFrame =>
  cm(0x14, CmRtu.write({ localCommId, remoteCommId }));

/** A REJ begins like an RTU. */
export const rej = (localCommId: number, remoteCommId: number): CaptureFrame =>
  cm(0x12, CmRtu.write({ localCommId, remoteCommId }), TO_A);

/** One sender, one receiver, one switch, and the packets between them. */
import { Cnp } from '../../../src/wire/roce/cnp.js';
import { FastCnp } from '../../../src/wire/roce/fast-cnp.js';
import { parseIpAddress } from '../../../src/wire/ip/ip-address.js';
import { createEngineSync } from '../../../src/engine/create.js';
import type { Engine } from '../../../src/engine/engine.js';
import type { QpOptions } from '../../../src/engine/qps.js';
import type { EngineOptions } from '../../../src/config/engine-config.js';
import { dcqcnSigcomm15 } from '../../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../../src/units.js';

export const SENDER = parseIpAddress('2001:db8:1::10');
export const RECEIVER = parseIpAddress('2001:db8:2::20');
export const SWITCH = parseIpAddress('2001:db8:ffff::1');
export const SENDER_QPN = 0x111;
export const RECEIVER_QPN = 0x222;
export const LINE_RATE_BPS = gbps(100);

export const QP: QpOptions = { localQpn: SENDER_QPN, peerAddress: RECEIVER, peerQpn: RECEIVER_QPN };

/** An engine at the sender with one open QP. */
export function senderEngine(options: Partial<EngineOptions> = {}): { engine: Engine; qp: number } {
  const engine = createEngineSync({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: LINE_RATE_BPS }) },
    hashSeed: 1,
    ...options,
  });
  engine.addEndpoint([SENDER]);
  return { engine, qp: engine.openQp(QP) };
}

/** A CNP from the receiver, without a link header. */
export const cnpPacket = (): Uint8Array => Cnp.write({ source: RECEIVER, destination: SENDER, destQpn: SENDER_QPN });

/** A Fast CNP for the flow, without a link header. */
export const fastCnpPacket = (source = SWITCH): Uint8Array =>
  FastCnp.write({ source, destination: SENDER, destQpn: RECEIVER_QPN, originalDestination: RECEIVER });

/** Applies packets without link header, one picosecond apart. */
export function applyPackets(engine: Engine, firstPs: number, ...packets: readonly Uint8Array[]): void {
  packets.forEach((packet, i) => {
    engine.packets.add(firstPs + i, packet, packet.length, 'raw-ip');
  });
  engine.applyPackets();
}

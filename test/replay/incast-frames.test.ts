import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { openFlows } from '../../src/replay/open-flows.js';
import { createEngineSync, type Engine } from '../../src/index.js';
import { Cnp } from '../../src/wire/roce/cnp.js';
import { FastCnp } from '../../src/wire/roce/fast-cnp.js';
import { formatIpAddress, parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { capture, flows, options } from './support/incast.js';
import { BACKENDS } from '../support/backends.js';

/** The key of a notification and of the QP that it is for, computed without the engine. */
const byLocalQpn = (sender: Uint8Array, localQpn: number): string => `${formatIpAddress(sender)} QP ${localQpn}`;
const byPeer = (sender: Uint8Array, peer: Uint8Array, peerQpn: number): string =>
  `${formatIpAddress(sender)} to ${formatIpAddress(peer)} QP ${peerQpn}`;

function keyOf(kind: string, frame: Uint8Array): string {
  if (kind === 'cnp') {
    const { destination, destQpn } = Cnp.read(frame, { link: 'ethernet' });
    return byLocalQpn(destination, destQpn);
  }
  const { destination, originalDestination, destQpn } = FastCnp.read(frame, { link: 'ethernet' });
  return byPeer(destination, originalDestination, destQpn);
}

/** The QP of each listed flow under both keys; rejects a key shared by two flows, which would be ambiguous. */
function senderQps(engine: Engine): Map<string, number> {
  const qps = new Map<string, number>();
  openFlows(engine, flows)
    .filter((qp) => qp.listed)
    .forEach(({ qp }, index) => {
      const flow = flows[index]!;
      const { localQpn, peerAddress, peerQpn } = engine.flowOf(qp);
      expect([localQpn, peerQpn]).toEqual([flow.senderQpn, flow.peerQpn]);
      const sender = parseIpAddress(flow.senderAddress);
      for (const key of [byLocalQpn(sender, localQpn), byPeer(sender, peerAddress, peerQpn)]) {
        expect(qps.has(key)).toBe(false);
        qps.set(key, qp);
      }
    });
  return qps;
}

describe.each(BACKENDS)('the %s engine over the incast capture', (_, backend) => {
  it('matches each CNP and each Fast CNP to the QP identified by the frame', async () => {
    const parameterSets = { default: options.parameters };
    const engine = createEngineSync({
      backend,
      parameterSets,
      fastCnp: options.engine.fastCnp,
      capacity: { endpoints: 64, qps: 64 },
    });
    const wanted = senderQps(engine);
    let timePs = 0;
    const seen = { cnp: 0, 'fast-cnp-1': 0, 'fast-cnp-2': 0 };
    for await (const { bytes } of readCapture(capture())) {
      engine.packets.add(timePs += 1000, bytes);
      engine.applyPackets();
      const report = engine.packets.report(0);
      if (report.class !== 'cnp' && report.class !== 'fast-cnp-1' && report.class !== 'fast-cnp-2') continue;
      seen[report.class]++;
      const key = keyOf(report.class, bytes);
      expect(wanted.has(key), key).toBe(true);
      expect(report.qp, key).toBe(wanted.get(key));
    }
    expect(seen).toEqual({ cnp: 127, 'fast-cnp-1': 94, 'fast-cnp-2': 93 });
  });
});

/** Items of the normative checklist that the engine implements; test/cp and test/wire test items 1 to 7 and 9. */
import { describe, expect, it } from 'vitest';
import { isBarredAtBorder } from '../../src/engine/packet-batch.js';
import { DEFAULT_FAST_CNP } from '../../src/config/fast-cnp.js';
import { DEFAULT_NOTIFICATION_POINT } from '../../src/config/notification-point.js';
import { us } from '../../src/units.js';
import { Cnp } from '../../src/wire/roce/cnp.js';
import { LINE_RATE_BPS, RECEIVER, SENDER, SENDER_QPN, applyPackets, cnpPacket, fastCnpPacket,
  senderEngine } from './support/network.js';
import { BACKENDS } from '../support/backends.js';

const ALLOWED = { enabled: true, accessList: [{ prefix: '2001:db8:ffff::/48', action: 'allow' }] } as const;

describe.each(BACKENDS)('the %s engine', (_, backend) => {
  it('Checklist 8, Checklist 10: accepts Fast CNPs only from sources in the domain that the access list names', () => {
    const { engine, qp } = senderEngine({ backend, fastCnp: ALLOWED });
    const stranger = Uint8Array.from([0x20, 0x01, 0x0d, 0xb9, ...new Array<number>(12).fill(1)]);
    applyPackets(engine, us(1), fastCnpPacket(stranger));
    expect(engine.packets.report(0).outcome).toBe('fast-cnp-rejected');
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS);
    applyPackets(engine, us(2), fastCnpPacket());
    expect(engine.packets.report(0).outcome).toBe('fast-cnp-accepted');
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS / 2);
  });

  it('Checklist 10: denies every source when the list is empty', () => {
    const { engine } = senderEngine({ backend, fastCnp: { enabled: true } });
    applyPackets(engine, us(1), fastCnpPacket());
    expect(engine.packets.report(0).outcome).toBe('fast-cnp-rejected');
  });

  it('Checklist 11, Checklist 12: identifies exactly the frames that must not cross a domain border', () => {
    const { engine } = senderEngine({ backend });
    const broken = fastCnpPacket();
    broken[47] = 8; // an option length of neither option 1 nor option 2, then padding
    broken.fill(0, 56, 64);
    applyPackets(engine, us(1), fastCnpPacket(), fastCnpPacket(RECEIVER), broken, cnpPacket());
    const barred = [0, 1, 2, 3].map((index) => isBarredAtBorder(engine.packets.report(index)));
    expect(barred).toEqual([true, true, true, false]);
  });

  it('Checklist 13: has a switch for Fast CNP', () => {
    const on = senderEngine({ backend, fastCnp: ALLOWED }).engine;
    const off = senderEngine({ backend, fastCnp: { ...ALLOWED, enabled: false } }).engine;
    for (const engine of [on, off]) applyPackets(engine, us(1), fastCnpPacket());
    expect(on.packets.report(0).outcome).toBe('fast-cnp-accepted');
    expect(off.packets.report(0).outcome).toBe('fast-cnp-disabled');
  });

  it('Checklist 14: has Fast CNP off by default, and then does not react', () => {
    expect(DEFAULT_FAST_CNP.enabled).toBe(false);
    const { engine, qp } = senderEngine({ backend });
    applyPackets(engine, us(1), fastCnpPacket());
    expect(engine.packets.report(0).outcome).toBe('fast-cnp-disabled');
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS);
  });

  it('Checklist 15: discards an unknown option whose action bits are not 00, as RFC 8200 requires', () => {
    const { engine } = senderEngine({ backend, fastCnp: ALLOWED });
    const unknown = fastCnpPacket();
    unknown[46] = 0xde; // an option type with action bits 11
    applyPackets(engine, us(1), unknown);
    expect(engine.packets.report(0).class).toBe('discard');
    expect(engine.stats().outcomes.discarded).toBe(1);
  });

  it('Checklist 16: generates a CNP for a packet with ECN 11', () => {
    const { engine, qp } = senderEngine({ backend });
    expect(engine.marked(us(1), qp, 0x8001)).toBe(true);
    expect([...engine.actions]).toEqual([{ kind: 'cnp', timePs: us(1), qp, pKey: 0x8001 }]);
  });

  it('Checklist 17, Checklist 23: sends one CNP for marks of one QP within 50 us', () => {
    const { engine, qp } = senderEngine({ backend });
    expect(DEFAULT_NOTIFICATION_POINT.minTimeBetweenCnpsPs).toBe(us(50));
    const due = [0, 10, 49.999999, 50, 60, 100].map((t) => engine.marked(us(t), qp));
    expect(due).toEqual([true, false, false, true, false, true]);
    expect(engine.stats()).toMatchObject({ np_ecn_marked_roce_packets: 6, np_cnp_sent: 3, np_cnp_suppressed: 3 });
  });

  it('Checklist 18: reduces the rate of the QP that a CNP names', () => {
    const { engine, qp } = senderEngine({ backend });
    applyPackets(engine, us(1), cnpPacket());
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS / 2);
    expect(engine.stats().rp_cnp_handled).toBe(1);
  });

  it('Checklist 19: raises the rate again by the timer and by the byte counter without a CNP', () => {
    const byTime = senderEngine({ backend });
    byTime.engine.cnp(us(1), byTime.qp);
    expect(byTime.engine.touch(us(56), byTime.qp)).toBe(LINE_RATE_BPS * 0.75);
    const byBytes = senderEngine({ backend });
    byBytes.engine.cnp(us(1), byBytes.qp);
    byBytes.engine.sent(us(2), byBytes.qp, 10e6);
    expect(byBytes.engine.rateBps(byBytes.qp)).toBe(LINE_RATE_BPS * 0.75);
  });

  it('Checklist 20: reacts to a CNP with any content in its 16 reserved bytes', () => {
    const { engine } = senderEngine({ backend });
    const packet = cnpPacket();
    packet.fill(0xa5, packet.length - 20, packet.length - 4);
    applyPackets(engine, us(1), packet);
    expect(engine.packets.report(0)).toMatchObject({ class: 'cnp', outcome: 'cnp-handled' });
  });

  it('Checklist 21: ignores FECN and BECN', () => {
    const { engine } = senderEngine({ backend });
    for (const [fecn, becn] of [[false, false], [false, true], [true, false], [true, true]] as const) {
      applyPackets(engine, us(1),
        Cnp.write({ source: RECEIVER, destination: SENDER, destQpn: SENDER_QPN, fecn, becn }));
      expect(engine.packets.report(0).outcome).toBe('cnp-handled');
    }
  });

  it('Checklist 22: drops and counts malformed packets without an action', () => {
    const { engine, qp } = senderEngine({ backend });
    const short = cnpPacket().subarray(0, 50);
    applyPackets(engine, us(1), short);
    expect(engine.actions.length).toBe(0);
    expect(engine.rateBps(qp)).toBe(LINE_RATE_BPS);
    expect(engine.stats()).toMatchObject({ rejected: 1, outcomes: { malformed: 1 } });
  });

  it('Checklist 22: silently drops extension headers in strict Annex A17 mode', () => {
    const { engine } = senderEngine({ backend, parser: { mode: 'strict-a17' }, fastCnp: ALLOWED });
    applyPackets(engine, us(1), fastCnpPacket());
    expect(engine.packets.report(0)).toMatchObject({ class: 'discard', outcome: 'discarded' });
    expect(engine.actions.length).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { DEFAULT_FAST_CNP, fastCnp, validateFastCnp } from '../../src/config/fast-cnp.js';
import { DEFAULT_NOTIFICATION_POINT, notificationPoint,
  validateNotificationPoint } from '../../src/config/notification-point.js';
import { DEFAULT_PARSER, parser, validateParser } from '../../src/config/engine-config.js';
import { us } from '../../src/units.js';

const place = (where: string): Error => expect.objectContaining({ where }) as Error;

describe('notificationPoint', () => {
  it('defaults to one CNP per QP and 50 us, DSCP 48, priority 6, ECT(1)', () => {
    expect(notificationPoint()).toEqual({
      scope: 'qp',
      window: 'suppress',
      minTimeBetweenCnpsPs: us(50),
      cnp: { dscp: 48, pcp: 6, ecn: 'ect1', becn: true, pKey: 'of-marked-packet' },
    });
    expect(notificationPoint()).toEqual(DEFAULT_NOTIFICATION_POINT);
  });

  it('overrides only the given settings', () => {
    const settings = notificationPoint({ scope: 'port', cnp: { ecn: 'ect0', pKey: 0x8001 } });
    expect(settings).toEqual({
      ...DEFAULT_NOTIFICATION_POINT,
      scope: 'port',
      cnp: { ...DEFAULT_NOTIFICATION_POINT.cnp, ecn: 'ect0', pKey: 0x8001 },
    });
    expect(Object.isFrozen(settings.cnp)).toBe(true);
  });

  it.each([
    ['np.scope', { scope: 'flow' }],
    ['np.window', { window: 'both' }],
    ['np.minTimeBetweenCnpsPs', { minTimeBetweenCnpsPs: 0.5 }],
    ['np.minTimeBetweenCnpsPs', { minTimeBetweenCnpsPs: -1 }],
    ['np.minTimeBetweenCnpsPs', { minTimeBetweenCnpsPs: Number.NaN }],
    ['np.cnp', { cnp: 7 }],
    ['np.cnp.dscp', { cnp: { dscp: 64 } }],
    ['np.cnp.pcp', { cnp: { pcp: 8 } }],
    ['np.cnp.ecn', { cnp: { ecn: 'ce' } }],
    ['np.cnp.becn', { cnp: { becn: 1 } }],
    ['np.cnp.pKey', { cnp: { pKey: 65536 } }],
    ['np.cnp.ttl', { cnp: { ttl: 64 } }],
    ['np.burst', { burst: 1 }],
  ])('rejects %s in %j', (where, options) => {
    expect(() => notificationPoint(options as never, 'np')).toThrow(place(where));
  });

  it('rejects incomplete settings if complete ones are required', () => {
    expect(() => validateNotificationPoint({ scope: 'qp' })).toThrow(place('notificationPoint.window'));
    expect(() => validateNotificationPoint(undefined)).toThrow(place('notificationPoint'));
  });
});

describe('fastCnp', () => {
  it('is off by default, with an empty access list and the default action deny', () => {
    expect(fastCnp()).toEqual({
      enabled: false,
      accessList: [],
      defaultAction: 'deny',
      duplicateWindowPs: us(50),
      optionType1: 0x9e,
      optionType2: 0x9e,
    });
    expect(fastCnp()).toEqual(DEFAULT_FAST_CNP);
  });

  it('accepts option types with action bits 10 and change bit 0, and no others', () => {
    for (let type = 0; type < 256; type++) {
      const isGood = type >> 6 === 2 && ((type >> 5) & 1) === 0;
      for (const field of ['optionType1', 'optionType2']) {
        if (isGood) expect(fastCnp({ [field]: type })).toMatchObject({ [field]: type });
        else expect(() => fastCnp({ [field]: type })).toThrow(place(`fastCnp.${field}`));
      }
    }
    for (const bad of [0x9e + 256, 0x9e + 2 ** 32, 0x9e + 0.5, '158']) {
      expect(() => fastCnp({ optionType1: bad as never })).toThrow(place('fastCnp.optionType1'));
    }
  });

  it('keeps the access list in order, frozen', () => {
    const accessList = [
      { prefix: '2001:db8::/32', action: 'allow' },
      { prefix: '2001:db8:bad::/48', action: 'deny' },
      { prefix: '::/0', action: 'deny' },
    ] as const;
    const settings = fastCnp({ enabled: true, accessList });
    expect(settings.accessList).toEqual(accessList);
    expect(Object.isFrozen(settings.accessList)).toBe(true);
  });

  it.each([
    ['fastCnp.enabled', { enabled: 1 }],
    ['fastCnp.defaultAction', { defaultAction: 'drop' }],
    ['fastCnp.duplicateWindowPs', { duplicateWindowPs: 0.1 }],
    ['fastCnp.accessList', { accessList: '2001:db8::/32' }],
    ['fastCnp.accessList[0]', { accessList: ['2001:db8::/32'] }],
    ['fastCnp.accessList[0].action', { accessList: [{ prefix: '2001:db8::/32', action: 'permit' }] }],
    ['fastCnp.accessList[0].action', { accessList: [{ prefix: '2001:db8::/32' }] }],
    ['fastCnp.accessList[0].port', { accessList: [{ prefix: '2001:db8::/32', action: 'allow', port: 1 }] }],
    ['fastCnp.accessList[1].prefix', {
      accessList: [{ prefix: '::/0', action: 'deny' }, { prefix: '2001:db8::/129', action: 'allow' }],
    }],
    ['fastCnp.accessList[0].prefix', { accessList: [{ prefix: '2001:db8::1/32', action: 'allow' }] }],
    ['fastCnp.accessList[0].prefix', { accessList: [{ prefix: '10.0.0.0/8', action: 'allow' }] }],
    ['fastCnp.accessList[1].prefix', {
      accessList: [{ prefix: '2001:db8::/32', action: 'allow' }, { prefix: '2001:0DB8::/32', action: 'deny' }],
    }],
    ['fastCnp.rateLimit', { rateLimit: 1 }],
  ])('rejects %s in %j', (where, options) => {
    expect(() => fastCnp(options as never)).toThrow(place(where));
    expect(() => fastCnp(options as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }) as Error);
  });

  it('rejects incomplete settings if complete ones are required', () => {
    expect(() => validateFastCnp({ enabled: true })).toThrow(place('fastCnp.accessList'));
  });
});

describe('parser', () => {
  it('reads extension headers and ignores the ICRC by default', () => {
    expect(parser()).toEqual({ mode: 'fast-cnp-domain', icrc: 'ignore', icrcWithExtensionHeaders: 'literal' });
    expect(parser()).toEqual(DEFAULT_PARSER);
    expect(parser({ mode: 'strict-a17', icrc: 'check' })).toEqual({
      mode: 'strict-a17',
      icrc: 'check',
      icrcWithExtensionHeaders: 'literal',
    });
  });

  it.each(['mode', 'icrc', 'icrcWithExtensionHeaders', 'fcs'])('rejects a bad %s by name', (field) => {
    expect(() => parser({ [field]: 'maybe' })).toThrow(place(`parser.${field}`));
  });

  it('rejects incomplete settings if complete ones are required', () => {
    expect(() => validateParser({ mode: 'strict-a17' })).toThrow(place('parser.icrc'));
  });
});

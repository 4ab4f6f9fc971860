/** Random engine options: every preset, every switch of DCQCN, and every variant of the notification point. */
import fc from 'fast-check';
import { TIME_MAX_PS } from '../../../src/abi/codes.js';
import { validateDcqcn } from '../../../src/config/algorithms/dcqcn.js';
import { dcqcnConnectx, dcqcnIrdma, DCQCN_NS3_SETS, dcqcnNs3, dcqcnSigcomm15, gbps, us, type DcqcnParameters,
  type EngineOptions } from '../../../src/index.js';

/** The published parameter sets, all on the same port. */
export const PRESETS: readonly DcqcnParameters[] = [
  dcqcnSigcomm15({ lineRateBps: gbps(100) }),
  ...DCQCN_NS3_SETS.map((set) => dcqcnNs3(set, { lineRateBps: gbps(100) })),
  dcqcnConnectx({ lineRateBps: gbps(100) }),
  dcqcnIrdma({ lineRateBps: gbps(100), mssBytes: 4096, rttPs: us(10) }),
];

const periodPs = fc.constantFrom(1000, 5000, 5001, us(1), us(4), us(50), us(55), us(300));

const draft = fc.record({
  numbers: fc.constantFrom('float64', 'whole-bps', 'alpha-q10'),
  maxRateBps: fc.constantFrom(1_000_003, 10 ** 10, 10 ** 11, 2 ** 43),
  minRatePart: fc.constantFrom(0, 0.001, 0.3, 1),
  gain1024: fc.constantFrom(0, 1, 4, 5, 64, 300, 1024),
  initialAlpha1024: fc.constantFrom(0, 1, 512, 1023),
  alphaUpdate: fc.constantFrom('on-cnp', 'per-period'),
  alphaPeriodPs: periodPs,
  cutTrigger: fc.constantFrom('on-cnp', 'per-period'),
  cutPeriodPs: periodPs,
  cutOffsetPs: fc.constantFrom(0, 1, 1000, us(4)),
  cutAlphaOrder: fc.constantFrom('cut-first', 'alpha-first'),
  cutScale: fc.constantFrom(0.5, 1),
  minDecreaseFactor: fc.constantFrom(0, 0.01, 0.5, 0.9, 1),
  firstCnpRatePart: fc.constantFrom(0, 0, 0.0001, 0.4, 1),
  rateOnFirstCnpFraction: fc.constantFrom(0, 0.25, 1 / 3, 0.5, 1, 1),
  firstCnpCuts: fc.boolean(),
  clampTargetRate: fc.boolean(),
  clampTargetRateAfterTimeIncrease: fc.boolean(),
  increasePeriodPs: periodPs,
  increaseTimerStart: fc.constantFrom('first-cnp', 'first-cut'),
  byteCounterBytes: fc.constantFrom(0, 64, 1001, 2000, 150_000, 10_000_000),
  fastRecoverySteps: fc.constantFrom(0, 1, 2, 5, 253),
  stages: fc.constantFrom('time-and-bytes', 'time'),
  aiPart: fc.constantFrom(0, 1 / 2000, 0.01, 0.3),
  haiPart: fc.constantFrom(0, 1 / 1000, 0.03, 1),
  hyperThreshold: fc.constantFrom('at', 'above'),
  hyperFactor: fc.constantFrom('constant', 'stage'),
  hyperHalvesPeriods: fc.boolean(),
  targetReduction: fc.boolean(),
  limiterRelease: fc.constantFrom('at-max-rate', 'never'),
  releaseGapPart: fc.constantFrom(0, 0, 0.00001, 0.5),
  simultaneous: fc.constantFrom('timers-first', 'event-first'),
});

/** Parameters with any combination of switches and with periods that often coincide. */
export const randomParameters: fc.Arbitrary<DcqcnParameters> = draft.map((drawn) => {
  const { minRatePart, gain1024, initialAlpha1024, firstCnpRatePart, aiPart, haiPart, releaseGapPart, ...rest } = drawn;
  const part = (fraction: number): number => Math.floor(drawn.maxRateBps * fraction);
  const minRateBps = Math.max(1000, part(minRatePart));
  return validateDcqcn({
    ...rest,
    algorithm: 'dcqcn',
    minRateBps,
    alphaGain: gain1024 / 1024,
    initialAlpha: initialAlpha1024 / 1024,
    rateOnFirstCnpBps: firstCnpRatePart === 0 ? 0 : Math.max(minRateBps, part(firstCnpRatePart)),
    aiRateBps: part(aiPart),
    haiRateBps: part(haiPart),
    releaseGapBps: part(releaseGapPart),
  });
});

export interface Setup {
  readonly options: Omit<EngineOptions, 'backend' | 'hashSeed'>;
  /** The time at which the stream begins. */
  readonly startPs: number;
}

/**
 * Capacities of a dozen QPs, so that indexes are reused, or of enough QPs for prefetching; batches are sometimes so
 * small that `advance` has to stop.
 */
export const randomSetup: fc.Arbitrary<Setup> = fc.record({
  startPs: fc.constantFrom(0, 0, us(7), TIME_MAX_PS - us(900)),
  options: fc.record({
    parameterSets: fc
      .array(
        fc.oneof({ arbitrary: fc.constantFrom(...PRESETS), weight: 1 }, { arbitrary: randomParameters, weight: 3 }),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((parameterSets) =>
        Object.fromEntries(parameterSets.map((parameterSet, index) => [`parameter set ${index}`, parameterSet]))
      ),
    capacity: fc.record({
      qps: fc.oneof({ arbitrary: fc.constant(12), weight: 19 }, { arbitrary: fc.constant(5000), weight: 1 }),
      endpoints: fc.constant(3),
      addresses: fc.constant(3),
      events: fc.constantFrom(2, 16, 64, 256),
      packets: fc.constant(2),
      frameBytes: fc.constant(64),
    }),
    notificationPoint: fc.record({
      scope: fc.constantFrom('qp', 'destination', 'port'),
      window: fc.constantFrom('suppress', 'trailing'),
      minTimeBetweenCnpsPs: fc.constantFrom(0, 1, us(4), us(50)),
    }),
    fastCnp: fc.record({
      enabled: fc.constantFrom(true, true, false),
      defaultAction: fc.constantFrom('allow', 'deny'),
      accessList: fc.constantFrom([], [{ prefix: '2001:db8::/32', action: 'allow' as const }], [
        { prefix: '2001:db8::/32', action: 'allow' as const },
        { prefix: '2001:db8:0:1::/64', action: 'deny' as const },
        { prefix: '2001:db8:0:1::3', action: 'allow' as const },
      ]),
      duplicateWindowPs: fc.constantFrom(0, us(1), us(50)),
    }),
    lateEvents: fc.constantFrom('reject', 'clamp'),
    rateActions: fc.constantFrom(true, true, true, false),
    trace: fc.constantFrom(false, false, false, true, { records: 1 }, { records: 9 }),
  }),
});

/** What the study found. A sentence that its numbers do not bear out ends the script. */
import { requireClaims } from './claims.js';
import { MECHANISMS, type Distance, type MechanismKey } from './notified.js';
import type { ConditionKey, NetworkCase, StackKey, WorkloadKey } from './cases.js';
import { FOUR_PLANES, ONE_PLANE } from './cases.js';
import type { Seen } from './measure.js';

/** Results by their case; `large`: of 1,024 hosts. */
export type Results = (condition: ConditionKey | 'large', workload: WorkloadKey, network: NetworkCase,
  stack: StackKey) => Seen;
export type Notified = (distance: Distance, key: MechanismKey) => { readonly first: number; readonly half: number };

function finding(title: string, text: string, ...isTrue: readonly boolean[]): string {
  requireClaims(title, ...isTrue);
  return `- **${title}.** ${text}`;
}

const us = (value: number): string => `${value.toFixed(0)} µs`;
const ms = (valueUs: number): string => `${(valueUs / 1000).toFixed(1)} ms`;
const times = (a: number, b: number): string => (a / b).toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

export function findings(seen: Results, notified: Notified): string {
  return [healthy(seen), slowLink(seen), failedPlane(seen), training(seen), incast(seen), firstNotice(notified)].join(
    '\n',
  );
}

function healthy(seen: Results): string {
  const [gbn, sr, mrc] = (['goBackN', 'selectiveRepeat', 'mrc'] as const)
    .map((stack) => seen('large', 'permutation', ONE_PLANE, stack)) as [Seen, Seen, Seen];
  return finding('One path per flow costs most',
    `In a permutation of 1,024 hosts the last flow of RC with go-back-N and ECMP takes ${
      times(gbn.allUs, mrc.allUs)
    } times as long as that of MRC. RC with
  selective repeat and adaptive routing is as fast as MRC here, but ${
      percent(sr.retransmittedShare)
    } of its packets are retransmissions, against ${percent(mrc.retransmittedShare)} under MRC. Nothing was lost.`,
    gbn.allUs > 2 * mrc.allUs, Math.abs(sr.allUs / mrc.allUs - 1) < 0.1,
    sr.retransmittedShare > 2 * mrc.retransmittedShare, sr.lost + mrc.lost === 0);
}

function slowLink(seen: Results): string {
  const of = (condition: 'healthy' | 'slowLink', stack: StackKey): number =>
    seen(condition, 'permutation', ONE_PLANE, stack).allUs;
  const factor = (stack: StackKey): number => of('slowLink', stack) / of('healthy', stack);
  return finding('Penalties of entropy values avoid a slow link best',
    `With one uplink at a tenth of its rate the permutation takes ${
      factor('goBackN').toFixed(1)
    } times as long under RC with ECMP, ${factor('selectiveRepeat').toFixed(1)} with adaptive routing, which sees its
  own switch only, ${factor('uet').toFixed(1)} under UET's REPS and ${
      factor('mrc').toFixed(1)
    } under MRC, whose marks and NACKs name the path.`, factor('goBackN') > 2, factor('selectiveRepeat') > 2,
    factor('mrc') < factor('uet'), factor('uet') < factor('goBackN'));
}

function failedPlane(seen: Results): string {
  const of = (stack: StackKey): Seen => seen('failedPlane', 'permutation', FOUR_PLANES, stack);
  const before = seen('healthy', 'permutation', FOUR_PLANES, 'mrc').allUs;
  const [gbn, sr, mrc] = [of('goBackN'), of('selectiveRepeat'), of('mrc')];
  return finding('A failed plane costs MRC its share of the capacity',
    `When one of four planes fails, the permutation takes ${us(mrc.allUs)} under MRC instead of ${
      us(before)
    }, without a timeout. RC's flows have one plane each:
  go-back-N needs ${us(gbn.allUs)}, with ${
      percent(gbn.retransmittedShare)
    } retransmissions, and selective repeat, where the last packets of a window are lost, waits ${
      ms(sr.allUs)
    } for its timeout.`, mrc.timeouts === 0, mrc.allUs < 1.4 * before, gbn.allUs > 3 * mrc.allUs,
    sr.allUs > 10_000 && sr.timeouts > 0);
}

function training(seen: Results): string {
  const of = (condition: 'healthy' | 'failedPlane', stack: StackKey): number =>
    seen(condition, 'training', FOUR_PLANES, stack).allUs;
  const allToAll = seen('failedPlane', 'allToAll', FOUR_PLANES, 'mrc');
  return finding('Jobs end with their slowest ring',
    `On four planes the all-reduces take ${
      times(of('healthy', 'goBackN'), of('healthy', 'mrc'))
    } times as long under RC with ECMP as under MRC, and ${
      times(of('healthy', 'selectiveRepeat'), of('healthy', 'mrc'))
    } times with adaptive routing. MRC
  is not immune to a failed plane: the last packets of short messages have none behind them, so only the timer finds them (${allToAll.timeouts} timeouts in an all-to-all, of 66 µs each).`,
    of('healthy', 'goBackN') > 2 * of('healthy', 'mrc'), of('healthy', 'selectiveRepeat') > 1.5 * of('healthy', 'mrc'),
    allToAll.timeouts > 100);
}

function incast(seen: Results): string {
  const of = (stack: StackKey): Seen => seen('large', 'incast', ONE_PLANE, stack);
  const [gbn, mrc] = [of('goBackN'), of('mrc')];
  return finding('In an incast trimming saves memory, not time',
    `All transports take as long as the receiver's port needs: ${us(gbn.allUs)} under RC, ${
      us(mrc.allUs)
    } under MRC. The longest queue is ${(gbn.maxQueueKB / 1000).toFixed(1)} MB without trimming, ${
      (mrc.maxQueueKB / 1000).toFixed(1)
    } MB with
  it, at the price that ${percent(mrc.retransmittedShare)} of MRC's packets are retransmissions.`,
    Math.abs(mrc.allUs / gbn.allUs - 1) < 0.2, gbn.maxQueueKB > 10 * mrc.maxQueueKB, mrc.retransmittedShare > 0.4);
}

function firstNotice(notified: Notified): string {
  const first = (distance: Distance, key: MechanismKey): string => `${notified(distance, key).first.toFixed(1)} µs`;
  const at = (distance: Distance, key: MechanismKey): number => notified(distance, key).first;
  return finding('A Fast CNP is the only notification that does not pass the receiver',
    `Eight senders learn of their congested first switch after ${first('near', 'fastCnp')} by Fast CNP, ${
      first('near', 'nack')
    } by the NACK of a trimmed packet,
  ${first('near', 'cnp')} by CNP. With receivers 4 km away the Fast CNP takes as long as before, CNP and ECN echo ${
      first('far', 'cnp')
    }, the NACK ${first('far', 'nack')}.`, at('near', 'fastCnp') < at('near', 'nack'),
    at('near', 'nack') < at('near', 'cnp'), at('far', 'fastCnp') === at('near', 'fastCnp'),
    Math.abs(at('far', 'mark') - at('far', 'cnp')) < 0.05, at('far', 'nack') > at('far', 'cnp'),
    MECHANISMS.cnp.stack === 'goBackN');
}

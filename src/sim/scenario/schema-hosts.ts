/** Settings of hosts, and of single nodes. */
import type * as z from 'zod';
import { DEFAULT_HOSTS, DEFAULT_IRN, DEFAULT_TOLERANT, MIN_REORDERING_WINDOW_PACKETS, MIN_TOLERANT_WINDOW_PACKETS,
  REFERENCE_MTU_MAX_BYTES } from './defaults.js';
import { byNetwork } from './network-presets.js';
import { PATH_SELECTION, PATH_SELECTION_SETTINGS } from '../features/balancing/schema.js';
import { alsoUnderUet, flag, listOf, name, NODES_MAX, numberAboveZero, optional, record, timeUs, transport, typed,
  wholeIn, wordOf } from './schema-parts.js';
import { SWITCH_SCHEMA } from './schema-settings.js';
import { MRC_SCHEMA } from '../features/transports/schema.js';
import type { KernelFidelity } from './setting-words.js';

const COUNTER_MAX_BYTES = 2 ** 32 - 1;

type HostKey = keyof (typeof DEFAULT_HOSTS)['standard'];
/** The default of a host setting, by fidelity. */
const ofHosts = <Key extends HostKey>(
  key: Key,
): Record<KernelFidelity, (typeof DEFAULT_HOSTS)[KernelFidelity][Key]> => ({
  standard: DEFAULT_HOSTS.standard[key],
  reference: DEFAULT_HOSTS.reference[key],
  'reference-lossy': DEFAULT_HOSTS['reference-lossy'][key],
});
const { standard: LEAST_TIMEOUT_US, ...TIMEOUTS_US } = ofHosts('retransmitTimeoutUs');

const TRANSPORT = transport('How losses are retransmitted; under reference-lossy go-back-n or irn.',
  ofHosts('transport')).meta(byNetwork(({ hosts }) => hosts.transport));
const REORDERING = typed('Reordering',
  wordOf(['none', 'selective-repeat', 'tolerant'],
    'Under standard: transport by what receivers do with packets out of order; none is go-back-n. Both may be set if they agree. Default: as transport.'),
  'How receivers take packets that arrive out of order: they drop them and send a NAK, hold them and send a NAK, or hold them without a NAK.');

const TRANSPORT_LIMITS = {
  reorderingWindowPackets: wholeIn(1, 65_536,
    `Under standard, of all transports but go-back-n: out-of-order packets are kept if fewer packets ahead of the expected one; senders of tolerant and mrc send no further ahead. Default: the largest bandwidth-delay product of all pairs of hosts, at least ${MIN_REORDERING_WINDOW_PACKETS} packets, of tolerant and mrc ${MIN_TOLERANT_WINDOW_PACKETS}.`),
  timeout: wholeIn(0, 31,
    "Under standard, instead of retransmitTimeoutUs, and not for irn: IBTA's Local ACK Timeout, 4.096 µs x 2^timeout; 0 = none (vol. 1, 11.2)."),
  retryCount: wholeIn(0, 7,
    'Under standard: retries in a row without progress until a flow fails (IBTA vol. 1, 9.9.2). Timeouts count, and NAKs except under irn; of mrc, NACKs. Default: any number.'),
  lossReaction: typed('LossReaction',
    wordOf(['algorithm', 'none', 'cnp'],
      'Under standard: how congestion control reacts to a loss. Default: algorithm; for flows of irn none.'),
    'How congestion control reacts to a loss: algorithm, as the algorithm defines (Swift and HPCC++ reduce their rates); none, it is not notified; cnp, as to a CNP.')
    .meta(byNetwork(({ hosts }) => hosts.lossReaction)),
};

/** What all hosts do if a receiver has posted no receive. */
const RNR_OF_HOSTS = {
  rnrTimerCode: wholeIn(0, 31,
    "Under standard: the wait that receivers state in RNR NAKs, by IBTA's code (vol. 1, 9.7.5.2.8): 1 = 10 µs, 12 = 640 µs, 31 = 491.52 ms, 0 = 655.36 ms.",
    DEFAULT_HOSTS.standard.rnrTimerCode),
  rnrRetryCount: wholeIn(0, 7, 'Under standard: waits after RNR NAKs until a flow fails; 7: unlimited.',
    DEFAULT_HOSTS.standard.rnrRetryCount),
};

/** The same of single hosts. */
const RNR_OF_HOST = {
  rnrTimerCode: wholeIn(0, 31, 'The wait that it states in RNR NAKs for flows that it receives.'),
  rnrRetryCount: wholeIn(0, 7, 'Waits after RNR NAKs until a flow that it sends fails; 7: unlimited.'),
};

export const HOST_SCHEMA = record(optional({
  mtuBytes: alsoUnderUet(
    wholeIn(1, REFERENCE_MTU_MAX_BYTES,
      'Payload per packet (path MTU), under standard 256 to 4,096; otherwise up to 65,000. Under reference-uet 64 bytes less than -mtu.',
      { ...ofHosts('mtuBytes'), 'reference-uet': DEFAULT_HOSTS['reference-uet'].mtuBytes }),
  ),
  cnpIntervalUs: timeUs('Minimum time between CNPs of a QP, us.', ofHosts('cnpIntervalUs')),
  cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us.", ofHosts('cnpDelayUs')),
  notificationPoint: flag("Under standard: whether receivers send CNPs for marks; vendors' roce_np.",
    ofHosts('notificationPoint')),
  acceptFastCnp: flag(
    'Whether senders accept Fast CNPs. Default: whether any switch sends them, or has a custom congestion point.',
  ),
  onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'],
    'Reaction of a sender to a Fast CNP: congestion control only, or also the next UDP source port, so that the flow may bypass the congested switch (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4).',
    ofHosts('onFastCnp')),
  ...PATH_SELECTION_SETTINGS,
  retransmitTimeoutUs: timeUs(
    `Retransmission timeout, us; 0 = none. Default under standard: as long as queues on the flow's path can hold a packet: the delays in both directions, and for each switch its memory over the rate of the port, rounded up to 4.096 µs x 2^n, at least ${LEAST_TIMEOUT_US}.`,
    TIMEOUTS_US,
  ),
  paced: flag(
    "Whether packets are spaced by the flow's rate; otherwise by the port's, so that only windows limit a flow.",
    ofHosts('paced'),
  ),
  service: wordOf(['round-robin', 'first-come'],
    "Which of a host's flows sends next: round-robin, or, as long as it may send, the one that began first. Default: round-robin; first-come where all flows are of jobs, as a message occupies its port in the models of their formats."),
  acksPausable: flag("A pause of their class (under reference of class 3) holds back a host's ACKs.",
    ofHosts('acksPausable')),
  ackIntervalBytes: wholeIn(0, COUNTER_MAX_BYTES,
    'Under reference: until this many bytes of a flow have arrived, ACKs are sent at multiples of ackChunkBytes only (L2_ACK_INTERVAL).',
    ofHosts('ackIntervalBytes')),
  ackChunkBytes: wholeIn(1, COUNTER_MAX_BYTES,
    'Under reference: multiple of bytes at which ACKs are sent (L2_CHUNK_SIZE).', ofHosts('ackChunkBytes')),
  transport: TRANSPORT,
  idleRestartUs: timeUs(
    'Under standard: a QP that has had no bytes in flight for this long begins its next message at line rate, as when it was opened, us. Default: never.',
  ),
  irn: record(optional({
    windowBytes: wholeIn(1, COUNTER_MAX_BYTES,
      'Maximum bytes in flight. Default: the largest bandwidth-delay product of all pairs of hosts.'),
    timeoutLowUs: numberAboveZero(1e6, 'Timeout with few packets in flight, us.', DEFAULT_IRN.timeoutLowUs),
    timeoutHighUs: numberAboveZero(1e6, 'Timeout with more, us.', DEFAULT_IRN.timeoutHighUs),
    fewPackets: wholeIn(0, 65_536, 'Under standard: at most this many packets are few.', DEFAULT_IRN.fewPackets),
  }),
    "Of irn, the same for all hosts: limits of IRN (R. Mittal et al., SIGCOMM 2018), and under reference-lossy as in ConWeave's simulator.",
    'IrnSpec'),
  reordering: REORDERING,
  tolerant: record(optional({
    distancePackets: wholeIn(0, 65_536, 'A packet is lost if one this many packets later is acknowledged; 0: never.',
      DEFAULT_TOLERANT.distancePackets),
    lossTimeUs: timeUs('A packet is lost this long after the first later one was acknowledged, us; 0: never.',
      DEFAULT_TOLERANT.lossTimeUs),
  }),
    'Under standard, of tolerant, the same for all hosts: when a packet that later ones have overtaken is lost; otherwise at its timeout.',
    'TolerantSpec'),
  mrc: MRC_SCHEMA,
  ...TRANSPORT_LIMITS,
  ...RNR_OF_HOSTS,
  nakIntervalUs: timeUs('Under reference-lossy: minimum time between NAKs for the same packet, us.',
    ofHosts('nakIntervalUs')),
  backToZeroBytes: wholeIn(0, COUNTER_MAX_BYTES,
    'Under reference-lossy: go-back-n goes back to a multiple of this many bytes (L2_BACK_TO_ZERO, L2_CHUNK_SIZE); 0: to the lost packet.',
    ofHosts('backToZeroBytes')),
}), 'Settings of all hosts.', 'HostSpec');

/** Marks a setting that defaults to that of all hosts. */
const asForAll = <Piece extends z.ZodType>(piece: Piece): Piece =>
  piece.meta({ default: undefined, 'x-defaults': undefined });

export const OVERRIDES_SCHEMA = listOf(record({
  nodes: listOf(name('Name of a node.'), 1, NODES_MAX, 'Nodes with these settings.'),
  ...optional({
    switch: SWITCH_SCHEMA,
    host: record(optional({
      cnpIntervalUs: timeUs('Minimum time between CNPs for a flow that it receives, us.'),
      cnpDelayUs: timeUs("From a marked packet's arrival until its CNP leaves, us."),
      notificationPoint: flag('Whether it sends CNPs for marks of flows that it receives.'),
      acceptFastCnp: flag('Whether it accepts Fast CNPs. Switches mark the packets of those that do not.'),
      retransmitTimeoutUs: timeUs('Retransmission timeout of the flows that it sends, us; 0 = none.'),
      onFastCnp: wordOf(['slow-down', 'slow-down-and-detour'], 'Reaction to a Fast CNP for a flow that it sends.'),
      pathSelection: asForAll(PATH_SELECTION),
      mtuBytes: wholeIn(1, REFERENCE_MTU_MAX_BYTES,
        'RoCE payload per packet that it sends, 256 to 4,096; under reference up to 65,000.'),
      transport: asForAll(TRANSPORT),
      reordering: REORDERING,
      ...TRANSPORT_LIMITS,
      ...RNR_OF_HOST,
    }),
      'Settings in which hosts may differ: CNPs, reordering window and RNR timer as receivers, the others as senders.',
      'HostOverrideSpec'),
  }),
}, 'Settings of single nodes instead of those of all.', 'OverrideSpec'), 0, NODES_MAX,
  'Settings of single nodes; later ones win.');

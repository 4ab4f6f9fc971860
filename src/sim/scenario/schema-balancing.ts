/** The schema of load balancing in switches and of path selection in hosts; the types are in spec.ts and balancing-spec.ts. */
import { DEFAULT_BALANCING, DEFAULT_CLASS_SHARES, DEFAULT_ENTROPIES, DEFAULT_FLOWLET_GAPS_US, DEFAULT_HOSTS,
  DEFAULT_PATHS, DEFAULT_REPS, DEFAULT_SWITCH, ENTROPIES_MAX } from './defaults.js';
import { BALANCING_RULES, PATH_SELECTIONS } from './setting-words.js';
import { listOf, numberAboveZero, numberIn, optional, record, timeUs, wholeIn, wordOf } from './schema-parts.js';

const CLASSES_MAX = 7;
const PERCENT = 100;

/** Keys of a switch; all are optional. */
export const BALANCING_SETTINGS = {
  loadBalancing: wordOf([...BALANCING_RULES, 'letflow', 'conweave'],
    'Which of several paths data takes. Under standard all but the last two; under reference-lossy ecmp, drill, letflow, conga, conweave.',
    { standard: DEFAULT_SWITCH.balancingRule, 'reference-lossy': DEFAULT_PATHS.loadBalancing }),
  flowletGapUs: timeUs(
    `Of flowlet and conga under standard: a flow that sends nothing for longer begins a new flowlet, us. Default of flowlet ${DEFAULT_FLOWLET_GAPS_US.flowlet}, of conga ${DEFAULT_FLOWLET_GAPS_US.conga}.`,
  ),
  drill: record(optional({
    samples: wholeIn(1, 16, 'd: ports drawn at random per packet.', DEFAULT_BALANCING.drill.samples),
    memory: wholeIn(0, 16, 'm: ports remembered as the shortest.', DEFAULT_BALANCING.drill.memory),
  }), 'DRILL(d, m) under standard.'),
  conga: record(optional({
    tauUs: numberAboveZero(1e6, 'Averaging time for the bytes that a port sends, us.', DEFAULT_BALANCING.conga.tauUs),
    ageingUs: numberAboveZero(1e9, 'Reports about a path expire after this time, us.',
      DEFAULT_BALANCING.conga.ageingUs),
  }), 'Times of CONGA under standard.'),
  adaptive: record(optional({
    thresholdsKB: listOf(numberIn(0, 1e9, 'Queue length, kB at 100 Gb/s.'), 1, CLASSES_MAX,
      `Queue lengths from which a port is in the next class, ascending. Default: ${
        DEFAULT_CLASS_SHARES.map((share) => share * PERCENT).join(', ')
      } % of what a port sends in the longest base round trip.`),
    refreshNs: numberIn(0, 1e6, 'A class is computed again if it is older, ns.', DEFAULT_BALANCING.adaptive.refreshNs),
  }), 'Queue classes of adaptive under standard.'),
};

/** Also of single hosts. */
export const PATH_SELECTION = wordOf(PATH_SELECTIONS,
  'Under standard: how the UDP source port of a data packet, and so its path, is chosen.',
  DEFAULT_HOSTS.standard.pathSelection);

/** Keys of all hosts; all are optional. */
export const PATH_SELECTION_SETTINGS = {
  pathSelection: PATH_SELECTION,
  entropies: wholeIn(1, ENTROPIES_MAX,
    `Under standard, of pathSelection: entropies of a flow, a power of two. Default of bitmap ${DEFAULT_ENTROPIES.bitmap}, of oblivious and reps ${DEFAULT_ENTROPIES.reps}.`),
  reps: record(optional({
    freezeUs: timeUs('How long only known entropies are used after a timeout, us.', DEFAULT_REPS.freezeUs),
    explorePackets: wholeIn(0, 65_535, 'Packets with new entropies after that time.', DEFAULT_REPS.explorePackets),
  }), 'Under standard: REPS after a timeout.'),
};

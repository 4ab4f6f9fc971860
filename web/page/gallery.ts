/** The gallery: experiments to start from. Their scenarios are the shipped ones, byte for byte. */

/** Excludes scenarios that no item uses, which would only add to the first load. */
const SCENARIOS = import.meta.glob<string>([
  '../../examples/scenarios/*.json',
  '!../../examples/scenarios/{convergence-1024,fat-tree-*,*-hpcc,*-uet,slow-receiver,two-elephants-detour,two-messages}.json',
], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const JOBS = import.meta.glob<string>('../../examples/jobs/{two-jobs,experts}-dcqcn.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Scenarios that only the lab has. */
const OWN = import.meta.glob<string>('../scenarios/*.json', { query: '?raw', import: 'default', eager: true });

export interface GalleryItem {
  readonly id: string;
  readonly title: string;
  /** What to look at. */
  readonly about: string;
  /** Text of the scenario. */
  readonly a: string;
  /** Text of the scenario that it is compared with. */
  readonly b?: string;
}

/** Titles, what to look at, and files. An item whose file is missing is omitted. */
const ITEMS: readonly (readonly [id: string, title: string, about: string, file: string, other?: string])[] = [
  ['four-flows', 'Four flows, one port', 'A queue oscillates about Kmin: move a slider and watch it.', 'four-flows'],
  ['incast', '16-to-1 incast', 'Sixteen senders, one receiver: how fast does DCQCN react?', 'incast-16'],
  [
    'incast-fast-cnp',
    'Incast: CNP against Fast CNP',
    'The receiver notifies (A), or the switch does (B).',
    'incast-16',
    'incast-16-fast-cnp',
  ],
  [
    'long-link',
    'Long link: CNP against Fast CNP',
    '20 km of fibre: 200 µs of feedback delay via the receiver, a few µs from the switch.',
    'long-link',
    'long-link-fast-cnp',
  ],
  [
    'permutation',
    'Permutation',
    'One flow per host over equal paths: which uplinks stay empty?',
    'leaf-spine-permutation',
  ],
  [
    'planes',
    'Permutation over four planes',
    'MRC sprays each flow over four planes: are all links used evenly?',
    'planes-permutation',
  ],
  [
    'plane-down',
    'A plane fails: RC against MRC',
    'One of four planes fails at 10 µs, under RC with go-back-N (A) and under MRC (B).',
    'plane-down-rc',
    'plane-down-mrc',
  ],
  [
    'slow-link',
    'A slow link: RC against MRC',
    'A link runs at a tenth of its rate: RC flows stay on it (A), MRC avoids paths over it (B).',
    'slow-link-rc',
    'slow-link-mrc',
  ],
  [
    'silent-link',
    'A link fails silently',
    'It loses all data, and no switch knows: MRC replaces the paths over it.',
    'silent-link-mrc',
  ],
  [
    'incast-trimming',
    'Incast: PFC against trimming',
    'NSCC without losses (A), and with switches that trim packets when queues are full (B).',
    'incast-16-nscc',
    'incast-16-nscc-trimming',
  ],
  ['websearch', 'Leaf-spine, WebSearch', 'WebSearch flow sizes at 50 % load.', 'websearch'],
  [
    'pause-storm',
    'Pause storm',
    'A NIC sends PFC pauses non-stop. Who else stalls?',
    'pause-storm',
    'pause-storm-watchdog',
  ],
  [
    'deadlock',
    'Deadlock',
    'Three switches pause each other; a watchdog (B) resolves it.',
    'deadlock',
    'deadlock-watchdog',
  ],
  ['wan', 'Two data centres, WAN', '200 km apart; switches notify the far senders.', 'two-data-centers'],
  [
    'wan-end-con',
    'WAN: CNP against END.CON',
    'CNPs cross the WAN and back (A), or its congested router notifies the senders by END.CON (B).',
    'wan-cnp',
    'wan-fast-cnp-end-con',
  ],
  [
    'wan-fast-cnp',
    'WAN: Fast CNP of a data centre',
    'Near and far hosts send to one; its leaf notifies both, the far ones through the tunnel.',
    'wan-fast-cnp-dc',
  ],
  ['wan-all', 'WAN: all notifications', 'CNPs, Fast CNPs, and ARNs that pause one of two services.', 'wan-all'],
  ['wrong-switch', 'A wrong switch', 'One switch is set up differently. Which one?', 'wrong-switch'],
  ['discovery', 'A wrong switch, by discovery', 'Probes along the path ask each switch for its settings.', 'discovery'],
  [
    'all-reduce',
    'Ring all-reduce',
    '16 hosts, 30 steps of 1 MB: every downlink is busy, and no queue forms.',
    'all-reduce',
  ],
  [
    'all-to-all',
    'All-to-all: RC against MRC',
    '16 ranks exchange data at once: one path per flow (A), or all of them (B).',
    'all-to-all-rc',
    'all-to-all-mrc',
  ],
  [
    'training',
    'Training: RC against MRC',
    'Four rings of a training job: RC flows share uplinks while others stay idle (A), MRC uses all of them (B).',
    'training-rc',
    'training-mrc',
  ],
  ['jobs', 'Two training jobs', 'Their rings cross the same uplinks.', 'two-jobs-dcqcn'],
];

const textOf = (file: string): string | undefined =>
  SCENARIOS[`../../examples/scenarios/${file}.json`] ?? JOBS[`../../examples/jobs/${file}.json`] ??
    OWN[`../scenarios/${file}.json`];

export const GALLERY: readonly GalleryItem[] = ITEMS.flatMap(([id, title, about, file, other]): GalleryItem[] => {
  const a = textOf(file);
  const b = other === undefined ? undefined : textOf(other);
  return a === undefined ? [] : [{ id, title, about, a, ...(b !== undefined && { b }) }];
});

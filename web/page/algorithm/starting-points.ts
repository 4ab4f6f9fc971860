/** Code to start from: the shipped examples, byte for byte. */

const FILES = import.meta.glob<string>('../../../examples/algorithms/*.js', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface StartingPoint {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Titles by file, the smallest example first. */
const TITLES: readonly (readonly [id: string, title: string])[] = [
  ['aimd', 'AIMD on marks, the smallest'],
  ['dcqcn', 'DCQCN'],
  ['dctcp', 'DCTCP'],
  ['timely', 'TIMELY'],
  ['swift', 'Swift'],
  ['hpcc', 'HPCC'],
  ['hpcc-pint', 'HPCC-PINT'],
  ['hpcc-pp', 'HPCC++'],
  ['nscc', 'NSCC (Ultra Ethernet)'],
];

export const STARTING_POINTS: readonly StartingPoint[] = TITLES.flatMap(([id, title]): StartingPoint[] => {
  const text = FILES[`../../../examples/algorithms/${id}.js`];
  return text === undefined ? [] : [{ id, title, text }];
});

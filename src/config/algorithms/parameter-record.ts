/**
 * Parameter sets as the engine reads them: consecutive named fields in the order of the algorithm's class in
 * assembly/algorithms. A test compares the two.
 */
/** A field: its name in the engine's class, its value, and its type: `u32`, or f64 if absent. */
export type ParameterField = readonly [name: string, value: number, type?: 'u32'];
export type ParameterRecord = readonly ParameterField[];

/** The fields that follow the code in every algorithm: algorithm-specific flag bits, line rate, and floor of the rate. */
export function commonFields(maxRateBps: number, minRateBps: number, switches = 0): ParameterRecord {
  return [['switches', switches, 'u32'], ['maxRateBps', maxRateBps], ['minRateBps', minRateBps]];
}

/** Fields of all senders that count round trips. The first word of each type becomes 0, the second 1. */
export function senderFields({ numbers, sequence, sendGap }: {
  readonly numbers: 'float64' | 'whole-bps';
  readonly sequence: 'u32' | 'psn24';
  readonly sendGap: 'picoseconds' | 'ns3-nanoseconds';
}): ParameterRecord {
  return [
    ['numbers', Number(numbers === 'whole-bps')],
    ['sequence', Number(sequence === 'psn24')],
    ['sendGap', Number(sendGap === 'ns3-nanoseconds')],
  ];
}

/** Writes a record at a byte address. */
export function writeParameterRecord(view: DataView, at: number, record: ParameterRecord): void {
  let next = at;
  for (const [, value, type] of record) {
    if (type === 'u32') view.setUint32(next, value, true);
    else view.setFloat64(next, value, true);
    next += type === 'u32' ? 4 : 8;
  }
}

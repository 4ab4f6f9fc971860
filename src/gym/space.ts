/**
 * Declares the numbers that an agent observes or sets: unit, range, meaning. Spaces, validation and the tables of
 * docs/guides/gym.md are derived from them.
 */

/** A number in an observation or an action, as plain data. */
export interface Space {
  /** Always a number. */
  readonly type: 'number';
  /** Unit such as `b/s`, `bytes`, `us`; empty for a share or a count. */
  readonly unit: string;
  /** Minimum value. */
  readonly min: number;
  /** Maximum value; null if unbounded. */
  readonly max: number | null;
  /** Whether only whole numbers are allowed. */
  readonly whole: boolean;
  /** Whether an action may be null, which returns control to the simulator. */
  readonly nullable: boolean;
  /** Meaning of the number. */
  readonly description: string;
}

/** The numbers of an observation or an action, by name. */
export type Spaces = Readonly<Record<string, Space>>;

/** Line rates of the hosts' ports, which bound rates. */
export interface LineRates {
  /** Rate of the slowest port, bits per second. */
  readonly leastBps: number;
  /** Rate of the fastest port, bits per second. */
  readonly mostBps: number;
}

/** A space whose maximum may depend on the network. */
export interface Declared extends Omit<Space, 'type' | 'max' | 'nullable'> {
  readonly max: number | null | keyof LineRates;
}

/** An observation: its space, and how to read it. */
export interface Observed<Seen> extends Declared {
  readonly read: (seen: Seen) => number;
}

/** Resolves declared spaces for a network. */
export function spacesOf(declared: Readonly<Record<string, Declared>>, rates: LineRates, nullable: boolean): Spaces {
  return Object.fromEntries(Object.entries(declared).map(([name, { unit, min, max, whole, description }]) => [name, {
    type: 'number',
    unit,
    min,
    max: typeof max === 'string' ? rates[max] : max,
    whole,
    nullable,
    description,
  }]));
}

/**
 * Makes a function that reads all observations. The table's members are listed once, because each agent is read at each
 * step.
 */
export function readerOf<Seen>(
  observed: Readonly<Record<string, Observed<Seen>>>,
): (seen: Seen) => Record<string, number> {
  const members = Object.entries(observed).map(([name, { read }]) => ({ name, read }));
  return (seen) => {
    const values: Record<string, number> = {};
    for (const { name, read } of members) values[name] = read(seen);
    return values;
  };
}

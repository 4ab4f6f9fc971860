/** Declarations of numbers that an agent sees or sets: unit, range, meaning. Spaces, checks and the tables of docs/guides/gym.md follow from them. */

/** One number of an observation or an action, as plain data. */
export interface Space {
  /** All of them are numbers. */
  readonly type: 'number';
  /** Such as `b/s`, `bytes`, `us`; empty: a share or a count. */
  readonly unit: string;
  /** Least value. */
  readonly min: number;
  /** Greatest value; null: there is none. */
  readonly max: number | null;
  /** Whole numbers only. */
  readonly whole: boolean;
  /** An action may be null, which gives the control back. */
  readonly nullable: boolean;
  /** What it is. */
  readonly description: string;
}

/** The numbers of an observation or an action, by name. */
export type Spaces = Readonly<Record<string, Space>>;

/** Line rates of the hosts' ports, which bound rates. */
export interface LineRates {
  /** Of the slowest port, bits per second. */
  readonly leastBps: number;
  /** Of the fastest port, bits per second. */
  readonly mostBps: number;
}

/** A space whose greatest value may depend on the network. */
export interface Declared extends Omit<Space, 'type' | 'max' | 'nullable'> {
  readonly max: number | null | keyof LineRates;
}

/** An observation: its space, and how it is read. */
export interface Observed<Seen> extends Declared {
  readonly read: (seen: Seen) => number;
}

/** The spaces of declarations, on a network. */
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

/** Reads the values of all observations. The members of a table are listed once: each agent is read at each step. */
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

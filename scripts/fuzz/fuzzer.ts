/**
 * What a fuzzer is: it makes inputs by chance and runs each through a part of the library, which must give a result or a
 * `RoceError`, within the time that the runner allows.
 */
import { RoceError } from '../../src/errors.js';
import { Random } from './random.js';

export interface Fuzzer {
  readonly name: string;
  /** Tries this many inputs. @throws Finding for the first that is handled wrongly. */
  readonly run: (random: Random, rounds: number, beforeRound?: RoundListener) => Promise<void>;
  /** The input of the round with this seed, as JSON. */
  readonly inputOf: (roundSeed: number) => unknown;
  /** One input again. @throws Finding */
  readonly replay: (input: unknown) => Promise<void>;
}

/** Told the seed of the round that follows, so that another thread can say which one never ended. */
export type RoundListener = (roundSeed: number) => void;

/** An input that was not treated as it should be. */
export class Finding extends Error {
  readonly fuzzer: string;
  readonly input: unknown;

  constructor(fuzzer: string, input: unknown, cause: unknown) {
    super(`${fuzzer}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`, { cause });
    this.fuzzer = fuzzer;
    this.input = input;
  }
}

/**
 * A fuzzer of two functions.
 *
 * @param make an input that JSON can hold, by chance.
 * @param check throws where the input is not treated as it should be; a RoceError is as it should be.
 */
export function makeFuzzer<Input>(name: string, make: (random: Random) => Input,
  check: (input: Input) => void | Promise<void>): Fuzzer {
  const replay = async (input: unknown): Promise<void> => {
    try {
      await check(input as Input);
    } catch (error) {
      if (!(error instanceof RoceError)) throw new Finding(name, input, error);
      if (error.message.length > MESSAGE_CHARACTERS) throw new Finding(name, input, new Error('a message too long'));
    }
  };
  const inputOf = (roundSeed: number): Input => make(new Random(roundSeed));
  return {
    name,
    inputOf,
    replay,
    async run(random, rounds, beforeRound) {
      for (let round = 0; round < rounds; round++) {
        const roundSeed = random.seed();
        beforeRound?.(roundSeed);
        await replay(inputOf(roundSeed));
      }
    },
  };
}

/** Longest message allowed for any input. */
const MESSAGE_CHARACTERS = 4096;

/** Compares the facts of runtimes: each must equal that of bench/hashes.txt if listed there, else that of the base. */
import type { Facts } from './probe.js';
import type { RuntimeKind } from './runtimes.js';

export interface Findings {
  readonly name: string;
  readonly kind: RuntimeKind;
  readonly facts: Facts;
}

/** Facts that only processes have, since they read files and run the command line. */
const ONLY_OF_PROCESSES = /^(cli |import .*\/(?:node|live)$)/;
const SHOWN_CHARACTERS = 200;

/**
 * @param known the hashes of bench/hashes.txt by the words before them.
 * @param base the findings of a process, whose facts every runtime must have.
 * @returns a line for each difference; none when all are equal.
 */
export function differencesOf(findings: readonly Findings[], base: Findings, known: Facts): readonly string[] {
  return findings.flatMap(({ name, kind, facts }) => {
    const wanted = Object.keys(base.facts).filter((fact) => kind === 'process' || !ONLY_OF_PROCESSES.test(fact));
    const all = [...new Set([...wanted, ...Object.keys(facts)])];
    return all.flatMap((fact) => {
      const [got, expected] = [facts[fact], expectedOf(fact, base.facts, known)];
      return got === expected ? [] : [`${name}: ${fact} is ${shown(got)}, expected ${shown(expected)}`];
    });
  });
}

/** The command line must compute the same hash as the library. */
function expectedOf(fact: string, base: Facts, known: Facts): string | undefined {
  return known[fact.replace(/^cli /, '')] ?? base[fact];
}

/** The lines of bench/hashes.txt. */
export function factsOfLines(text: string): Facts {
  return Object.fromEntries(text.trim().split('\n').map((line) => {
    const at = line.lastIndexOf(' ');
    return [line.slice(0, at), line.slice(at + 1)];
  }));
}

function shown(text: string | undefined): string {
  if (text === undefined) return 'missing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

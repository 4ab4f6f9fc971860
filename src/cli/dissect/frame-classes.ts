/** Frame classes that `roce-cc dissect --class` selects: by name, or all variants of a class by one common name. */
import { CLASS_NAMES, type ClassName } from '../../abi/names.js';
import type { Packet } from '../../packet/index.js';

const FAMILIES = { 'fast-cnp': ['fast-cnp-1', 'fast-cnp-2'] } as const satisfies Readonly<
  Record<string, readonly ClassName[]>
>;

/** A class, or a family of classes such as all variants of Fast CNP. */
export type ClassChoice = ClassName | keyof typeof FAMILIES | 'mrc';

/** All names that `--class` takes. */
export const CLASS_CHOICES = [...Object.keys(CLASS_NAMES), ...Object.keys(FAMILIES), 'mrc'] as readonly ClassChoice[];

/**
 * Whether a frame's class is one of `choices` or in one of these families. `mrc` matches every MRC packet, whatever its
 * class.
 */
export function isOfClasses({ class: name, mrc }: Packet, choices: readonly ClassChoice[]): boolean {
  return choices.some((choice) =>
    (choice === 'mrc' && mrc !== undefined) || choice === name || (familyOf(choice)?.includes(name) ?? false)
  );
}

function familyOf(choice: ClassChoice): readonly ClassName[] | undefined {
  return choice in FAMILIES ? FAMILIES[choice as keyof typeof FAMILIES] : undefined;
}

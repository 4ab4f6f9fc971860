/** Work in steps, between which the same thread may do other work. The result does not depend on that. */
export type Steps<Made> = Generator<undefined, Made, undefined>;

/** Runs all steps in one call. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

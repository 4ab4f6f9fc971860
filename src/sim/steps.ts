/** Work in steps, between which a host on the same thread may do other work; the result does not depend on the steps. */
export type Steps<Made> = Generator<undefined, Made, undefined>;

/** Runs all steps. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work in steps, between which a host on the same thread can have its turn; what comes of it does not depend on that. */
export type Steps<Made> = Generator<undefined, Made, undefined>;

/** All steps, one after the other. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

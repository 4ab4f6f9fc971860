/** Kinds of faults that are PFC hazards. */
export const HAZARD_KINDS = ['pause-storm', 'slow-receiver', 'bit-errors'] as const;

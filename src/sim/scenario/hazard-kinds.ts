/** Kinds of faults that PFC's hazards are. */
export const HAZARD_KINDS = ['pause-storm', 'slow-receiver', 'bit-errors'] as const;

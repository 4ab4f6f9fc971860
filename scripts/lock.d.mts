/** Runs `work` while no other process of this repository does. */
export declare function withLock(work: () => void | Promise<void>): Promise<void>;

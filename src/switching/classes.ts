/** Traffic classes of a port, each a queue; 0 is that of pause frames. */
export const CLASS_COUNT = 8;

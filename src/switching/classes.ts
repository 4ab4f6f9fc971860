/** Traffic classes of a port, one queue each. Class 0 carries pause frames. */
export const CLASS_COUNT = 8;

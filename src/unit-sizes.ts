/** Conversion factors between units of time, rate and size, for the whole project. */
export const PS_PER_NS = 1e3;
export const PS_PER_US = 1e6;
export const PS_PER_MS = 1e9;
export const PS_PER_SECOND = 1e12;
export const NS_PER_US = 1e3;
export const NS_PER_MS = 1e6;
export const NS_PER_SECOND = 1e9;
export const US_PER_MS = 1e3;
export const US_PER_SECOND = 1e6;
export const BITS_PER_BYTE = 8;
export const BPS_PER_MBPS = 1e6;
export const BPS_PER_GBPS = 1e9;
export const BYTES_PER_KB = 1e3;
export const BYTES_PER_MIB = 2 ** 20;

// Multipath Reliable Connection, MRC: BTH and extended headers, entropy values, DSCPs, source routes of uSIDs.

export { MrcBth, type MrcByte1, type MrcByte1Order } from './bth.js';
export { MrcCcState, type SackMap, Seth, type SethFields } from './seth.js';
export { MRC_DSCPS, type MrcDscpMap, type MrcDscpName, type MrcDscps, mrcDscpMap } from './dscp.js';
export { Eeth, type EethFields, type MrcEethOperation, type MrcEethPlace } from './eeth.js';
export { type MrcEntropyFields, type MrcEvOrder, mrcEntropy, mrcEntropyFields } from './entropy.js';
export { Erth, Meth, Peth, Tseth } from './request-headers.js';
export { type MrcNackReason, Neth } from './neth.js';
export { type MrcHeaderKind, MrcOpcode, type MrcPacketKind } from './opcodes.js';
export { UsidCarrier } from './usid.js';

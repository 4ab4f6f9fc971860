// Multipath Reliable Connection, MRC: BTH and extended headers, entropy values, DSCPs, source routes of uSIDs.

export { MrcBth, type MrcByte1, type MrcByte1Order } from './bth.js';
export { MrcCcState } from './cc-state.js';
export { MRC_DSCPS, type MrcDscpMap, type MrcDscpName, type MrcDscps, mrcDscpMap } from './dscp.js';
export { Eeth, type EethFields, type MrcEethOperation, type MrcEethPlace } from './eeth.js';
export { type MrcEntropyFields, type MrcEvOrder, mrcEntropy, mrcEntropyFields } from './entropy.js';
export { Erth } from './erth.js';
export { Meth } from './meth.js';
export { type MrcNackReason, Neth } from './neth.js';
export { type MrcHeaderKind, MrcOpcode, type MrcPacketKind } from './opcodes.js';
export { Peth } from './peth.js';
export { type SackMap, Seth, type SethFields } from './seth.js';
export { Tseth } from './tseth.js';
export { UsidCarrier } from './usid.js';

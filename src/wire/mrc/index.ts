// Multipath Reliable Connection, MRC: BTH and extended headers, entropy values, DSCPs, source routes of uSIDs.

export { MRC_BTH_BYTES, MRC_BTH_LAYOUT, type MrcBth, type MrcBthFields, MrcBthView, type MrcByte1, type MrcByte1Order,
  buildMrcBth, buildMrcBthInto, parseMrcBth, readMrcByte1 } from './bth.js';
export { MRC_CC_STATE_BYTES, MRC_CC_STATE_LAYOUT, MRC_RCVD_UNIT_BYTES, type MrcCcState, type MrcCcStateFields,
  MrcCcStateView, buildMrcCcState, buildMrcCcStateInto, parseMrcCcState } from './cc-state.js';
export * from './dscp.js';
export { EETH_BYTES, EETH_LAYOUT, type Eeth, type EethFields, EethView, type MrcEethOperation, type MrcEethPlace,
  buildEeth, buildEethInto, mrcEethOperation, parseEeth } from './eeth.js';
export * from './entropy.js';
export { ERTH_BYTES, ERTH_LAYOUT, type Erth, type ErthFields, ErthView, MRC_OPERATION_EV_PROBE,
  MRC_OPERATION_PORT_STATUS, buildErth, buildErthInto, parseErth } from './erth.js';
export { METH_BYTES, METH_LAYOUT, type Meth, type MethFields, MethView, buildMeth, buildMethInto,
  parseMeth } from './meth.js';
export { MRC_NACK_NO_BITMAP, MRC_NACK_NO_PACKET_BUFFER, MRC_NACK_NO_RESOURCE, MRC_NACK_PSN_OUT_OF_WINDOW,
  MRC_NACK_TRIMMED, MRC_NACK_TRIMMED_LAST_HOP, MRC_NACK_UNEXPECTED_EVENT, type MrcNackReason, NETH_BYTES, NETH_CC_TYPE,
  NETH_LAYOUT, type Neth, type NethFields, NethView, buildNeth, buildNethInto, mrcNackReason,
  parseNeth } from './neth.js';
export * from './opcodes.js';
export { PETH_BYTES, PETH_LAYOUT, type Peth, type PethFields, PethView, buildPeth, buildPethInto,
  parsePeth } from './peth.js';
export { MRC_MARK_ALWAYS_SKIP, MRC_MARK_NONE, MRC_MARK_SKIP_ONCE, SETH_BYTES, SETH_LAYOUT, type SackMap, type Seth,
  type SethFields, SethView, buildSeth, buildSethInto, parseSeth, readSackMap } from './seth.js';
export { TSETH_BYTES, TSETH_FORM_TYPE, TSETH_LAYOUT, TSETH_TICK_NS, type Tseth, type TsethFields, TsethView, buildTseth,
  buildTsethInto, parseTseth } from './tseth.js';
export * from './usid.js';

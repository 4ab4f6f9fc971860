/**
 * `roce-cc/packet`: whole packets. `dissect` returns the stack of layers, `describe` and `describeTree` turn it into
 * text, `build` encodes a stack; `dissectInto` dissects without allocating.
 *
 * @packageDocumentation
 */
export { build, completeStack } from './build-stack.js';
export type { BuildOptions } from './build-stack.js';
export { describe } from './describe.js';
export { describeTree } from './describe-tree.js';
export { createDissector, dissect, readPacket } from './dissect.js';
export type { DissectFrameOptions, Packet, PacketAddresses, PacketTrouble, PacketTunnel,
  UnreadPart } from './dissect.js';
export { dissectInto } from './dissect-into.js';
export { frameLocator } from './frame-locator.js';
export { Dissection } from './dissection.js';
export * from './layer-kinds.js';
export { layersFromJson, packetToJson, toJson } from './layer-json.js';
export type { Json } from './layer-json.js';
export { LAYER_CODECS } from './layers.js';
export type { LayerCodec, LayerFieldForm, Bytes } from './layer-codec.js';
export type { IcrcTrailer, Layer, LayerCodecs, LayerOf, LayerSpec, LayerSpecValues, LayerValues,
  UdpSpec } from './layers.js';
export { readOptionContents } from './option-contents.js';
export type { FastCnp1Contents, FastCnp2Contents, IoamContents, OptionContents } from './option-contents.js';
export type { MrcProblem, MrcRemark, MrcCarrier, MrcReading, UetReading } from './multipath-readings.js';
export type { MrcReader } from './walk-mrc.js';
export type { MrcOptions, MrcSettings, UetOptions, UetSettings } from './multipath-settings.js';
export type { UetReader } from './walk-uet.js';
export { trimMrcFrame } from './trim-mrc-frame.js';
export type { TrimOptions } from './trim-mrc-frame.js';
export { dissectionRules, isDissected } from './rules.js';
export type { DissectOptions, DissectionRules } from './rules.js';
export { UNREAD_NAMES } from './walk-codes.js';
export type { UnreadField } from './walk-codes.js';
export { tunnelWords, unreadWords } from './words.js';

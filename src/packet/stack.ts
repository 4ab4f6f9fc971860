/** A stack of layers as users write it: everything that follows from the other layers may be left out. */
export type { LayerSpec, LayerSpecValues, UdpSpec } from './layers.js';

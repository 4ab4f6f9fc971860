/** Link layer: Ethernet, VLAN tags, Linux cooked headers, MAC control (PAUSE, PFC). */
export { ETHERNET_BYTES, ETHERNET_LAYOUT, ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_LEGACY_SERVICE_VLAN,
  ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN, EthernetView, MAC_BYTES, VLAN_TAG_BYTES, VLAN_TAG_LAYOUT, buildEthernet,
  buildEthernetInto, parseEthernet } from './ethernet.js';
export type { EthernetHeader, VlanTag } from './ethernet.js';
export { LinuxSllView, SLL_ADDRESS_BYTES, SLL_BROADCAST, SLL_BYTES, SLL_FROM_US, SLL_LAYOUT, SLL_MULTICAST,
  SLL_TO_OTHERS, SLL_TO_US, buildLinuxSll, buildLinuxSllInto, parseLinuxSll } from './linux-sll.js';
export type { LinuxSll } from './linux-sll.js';
export { LinuxSll2View, SLL2_BYTES, SLL2_LAYOUT, buildLinuxSll2, buildLinuxSll2Into,
  parseLinuxSll2 } from './linux-sll2.js';
export type { LinuxSll2, LinuxSll2Fields } from './linux-sll2.js';
export { ETHERTYPE_MAC_CONTROL, MAC_CONTROL_ADDRESS, MAC_CONTROL_BYTES, MAC_CONTROL_FRAME_BYTES, MAC_CONTROL_LAYOUT,
  MAC_CONTROL_PAUSE, MAC_CONTROL_PFC, MacControlView, PAUSE_QUANTA_MAX, PAUSE_QUANTUM_BITS, buildMacControl,
  buildMacControlInto, parseMacControl, pauseQuantaToPs, psToPauseQuanta } from './mac-control.js';
export type { MacControl } from './mac-control.js';
export { PAUSE_BYTES, PAUSE_LAYOUT, PauseView, buildPause, buildPauseInto, parsePause, pauseFrame,
  pauseFrameInto } from './pause.js';
export type { Pause } from './pause.js';
export { PFC_BYTES, PFC_CLASS_COUNT, PFC_LAYOUT, PFC_TIME_BYTES, PfcView, buildPfc, buildPfcInto, isClassEnabled,
  parsePfc, pfcFrame, pfcFrameInto } from './pfc.js';
export type { Pfc } from './pfc.js';

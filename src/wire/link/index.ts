// Link layer: Ethernet, VLAN tags, Linux cooked headers, MAC control (PAUSE, PFC).

export { ETHERNET_BYTES, ETHERNET_LAYOUT, ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_LEGACY_SERVICE_VLAN,
  ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN, MAC_BYTES, VLAN_TAG_BYTES, VLAN_TAG_LAYOUT, type EthernetHeader, EthernetView,
  type VlanTag, buildEthernet, buildEthernetInto, parseEthernet } from './ethernet.js';
export { SLL_ADDRESS_BYTES, SLL_BROADCAST, SLL_BYTES, SLL_FROM_US, SLL_LAYOUT, SLL_MULTICAST, SLL_TO_OTHERS, SLL_TO_US,
  type LinuxSll, LinuxSllView, buildLinuxSll, buildLinuxSllInto, parseLinuxSll } from './linux-sll.js';
export { SLL2_BYTES, SLL2_LAYOUT, type LinuxSll2, type LinuxSll2Fields, LinuxSll2View, buildLinuxSll2,
  buildLinuxSll2Into, parseLinuxSll2 } from './linux-sll2.js';
export { ETHERTYPE_MAC_CONTROL, MAC_CONTROL_ADDRESS, MAC_CONTROL_BYTES, MAC_CONTROL_FRAME_BYTES, MAC_CONTROL_LAYOUT,
  MAC_CONTROL_PAUSE, MAC_CONTROL_PFC, PAUSE_QUANTA_MAX, PAUSE_QUANTUM_BITS, type MacControl, MacControlView,
  buildMacControl, buildMacControlInto, parseMacControl, pauseQuantaToPs, psToPauseQuanta } from './mac-control.js';
export { PAUSE_BYTES, PAUSE_LAYOUT, type Pause, PauseView, buildPause, buildPauseInto, parsePause, pauseFrame,
  pauseFrameInto } from './pause.js';
export * from './pfc.js';

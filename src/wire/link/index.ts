// Link layer: Ethernet, VLAN tags, Linux cooked headers, MAC control (PAUSE, PFC).

export { EtherType, Ethernet, VlanTag } from './ethernet.js';
export { LinuxSll, LinuxSll2 } from './linux-sll.js';
export { MacControl, Pause } from './mac-control.js';
export { Pfc } from './pfc.js';

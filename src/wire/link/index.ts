// Link layer: Ethernet, VLAN tags, Linux cooked headers, MAC control (PAUSE, PFC).

export { EtherType } from './ether-type.js';
export { Ethernet, VlanTag } from './ethernet.js';
export { LinuxSll } from './linux-sll.js';
export { LinuxSll2 } from './linux-sll2.js';
export { MacControl } from './mac-control.js';
export { Pause } from './pause.js';
export { Pfc } from './pfc.js';

/**
 * `roce-cc/live`: exchanges frames with real hosts, for Node.
 *
 *   interface, TAP, UDP ─► FramePort ─► roles (watch, notification point, …) ─► FramePort
 *
 * No native code is loaded until a port is opened; interfaces and TAP devices need Linux and the optional package
 * koffi.
 */
export { startLiveClock, type LiveClock, makeFrameBatch, type FrameBatch, type FrameBatchSize, type FramePort,
  type FramePortStats, type PollTarget, type ReceiveDropReason, type SendDropReason } from './ports/frame-port.js';
export { openPacketPort, type PacketPortOptions } from './ports/linux/packet-port.js';
export { openPortWaiter, type PortWaiter } from './ports/linux/port-waiter.js';
export { openTapPort, type TapPortOptions } from './ports/linux/tap-port.js';
export { openUdpPort, ROCE_UDP_PORT, type UdpAddress, type UdpPort, type UdpPortOptions } from './ports/udp-port.js';
export { portBatches, type PortBatchesOptions, watch, type WatchOptions, type WatchResult,
  type WatchView } from './watch.js';
export { runNotificationPoint, type NotificationPointCounters,
  type NotificationPointRoleOptions } from './notification-point.js';
export type { DemoOptions, DemoMode } from './demo/incast.js';
export { runNamespaceDemo, runUdpDemo } from './demo/run-demo.js';
export type { DemoCounters, DemoResult, DemoView } from './demo/incast.js';
export { runSwitch, type SwitchResult, type SwitchRoleOptions } from './switch/run-switch.js';
export { emulateSwitch, type SwitchDeparture, type SwitchDrop, type SwitchEmulation, type SwitchEmulationOptions,
  type SwitchMark, recordedArrival, replayArrivals, type SwitchArrival,
  type SwitchChoice } from './switch/emulation.js';
export type { SwitchRoom } from './switch/frame-pool.js';
export type { Reordering } from './switch/settings.js';
export type { SwitchDropReason, InterfaceCounters, SwitchCounters } from './switch/switch-counters.js';
export { emulateHosts, type EmulatedFlow, type HostDeparture, type HostsEmulation, type HostsEmulationOptions,
  type HostsChoice } from './hosts/emulation.js';
export type { HostCounters } from './hosts/host.js';
export { runEdge, type EdgeInterfaceCounters, type EdgeResult, type EdgeRoleOptions } from './edge/run-edge.js';
export type { EdgeDropReason, EdgeSide } from './edge/emulated-edge.js';
export { runHosts, type HostsRoleOptions, type EmulatedHostCounters, type HostsResult, type ReceivingFlow,
  type SendingFlow, type HostFrame } from './hosts/run-hosts.js';

/**
 * `roce-cc/live`: frames between real hosts, for Node.
 *
 *   interface, TAP, UDP ─► FramePort ─► roles (watch, notification point, …) ─► FramePort
 *
 * Nothing is loaded before a port is opened; interfaces and TAP devices need Linux and the optional package koffi.
 */
export { startLiveClock, type LiveClock } from './clock/live-clock.js';
export { makeFrameBatch, type FrameBatch, type FrameBatchSize, type FramePort, type FramePortStats, type PollTarget,
  type ReceiveDropReason, type SendDropReason } from './ports/frame-port.js';
export { openPacketPort, type PacketPortOptions } from './ports/linux/packet-port.js';
export { openPortWaiter, type PortWaiter } from './ports/linux/port-waiter.js';
export { openTapPort, type TapPortOptions } from './ports/linux/tap-port.js';
export { openUdpPort, ROCE_UDP_PORT, type UdpAddress, type UdpPort,
  type UdpPortOptions } from './ports/udp/udp-port.js';
export { portBatches, type PortBatchesOptions } from './watch/port-batches.js';
export { watch, type WatchOptions, type WatchResult, type WatchView } from './watch/watch.js';
export { runNotificationPoint, type NotificationPointCounters,
  type NotificationPointRoleOptions } from './notification-point/notification-point.js';
export type { DemoOptions } from './demo/options.js';
export { runNamespaceDemo } from './demo/namespace-demo.js';
export { runUdpDemo } from './demo/udp-demo.js';
export type { DemoMode } from './demo/scenario.js';
export type { DemoBooks, DemoResult, DemoView, InterfaceBooks } from './demo/demo-meter.js';

/**
 * Types of what the library itself makes and takes back: states, results, compiled and validated forms. Their members are
 * the library's own, and their docs name their source; a caller without types can only pass something else instead.
 */
export const MADE_HERE: ReadonlySet<string> = new Set([
  // Of dissect.
  'Packet',
  // Of configureEndCon, createEndConCounters, configureIngressPe.
  'EndCon',
  'EndConCounters',
  'IngressPe',
  // Of createOriginator, startProbe, correlateReplies, createNode.
  'OriginatorState',
  'Probe',
  'Path',
  'DiscoveryNode',
  // Of lintPath.
  'LintFinding',
  // Of replay.
  'RateLine',
  // Of validateScenario, compileScenario.
  'ValidScenario',
  'CompiledScenario',
  'NetworkPlan',
  'CaptureContext',
  // Of planSweep, runSweep.
  'SweepPlan',
  'SweepRow',
  // Of parseGoal, readGoal.
  'WorkloadGraph',
  // Of runScenario, parseResultJson.
  'SimResult',
  // Of followFlow.
  'FlowPath',
  // Of openUdpPort, openPacketPort, openTapPort.
  'FramePort',
  'UdpPort',
  // Of makeFrameBatch, startLiveClock.
  'FrameBatch',
  'LiveClock',
]);

/**
 * Types that only the library creates and later accepts: states, results, compiled and validated forms. Their members
 * are private to the library and their docs name their source, so only the whole value is replaced by an invalid one.
 */
export const MADE_HERE: ReadonlySet<string> = new Set([
  // From dissect.
  'Packet',
  // From configureEndCon, createEndConCounters, configureIngressPe.
  'EndCon',
  'EndConCounters',
  'IngressPe',
  // From createOriginator, startProbe, correlateReplies, createNode.
  'OriginatorState',
  'Probe',
  'Path',
  'DiscoveryNode',
  // From lintPath.
  'LintFinding',
  // From replay.
  'RateLine',
  // From validateScenario, compileScenario.
  'ValidScenario',
  'CompiledScenario',
  'NetworkPlan',
  'CaptureContext',
  // From planSweep, runSweep.
  'SweepPlan',
  'SweepRow',
  // From parseGoal, readGoal.
  'WorkloadGraph',
  // From runScenario, parseResultJson.
  'SimResult',
  // From followFlow.
  'FlowPath',
  // From openUdpPort, openPacketPort, openTapPort.
  'FramePort',
  'UdpPort',
  // From makeFrameBatch, startLiveClock.
  'FrameBatch',
  'LiveClock',
]);

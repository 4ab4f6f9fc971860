/** Valid values that types do not determine: by place (`function.parameter.member`), type, or member (`.member`). */
import { readFileSync } from 'node:fs';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { SIM_TRACE_FILE } from '../../support/sim-trace.js';
import { CaptureBatch, encodeCapture } from '../../../src/capture/index.js';
import * as discovery from '../../../src/discovery/index.js';
import * as flow from '../../../src/flow-control/index.js';
import { createEngineSync, dcqcnSigcomm15, gbps, hpccSigcomm19, rcccUet, us, type Engine } from '../../../src/index.js';
import { build, completeStack, dissect, dissectionRules, packetToJson } from '../../../src/packet/index.js';
import { emulateHosts, emulateSwitch, makeFrameBatch, openPortWaiter, openUdpPort,
  type UdpPort } from '../../../src/live/index.js';
import * as qos from '../../../src/qos/index.js';
import { parseFlows } from '../../../src/replay/index.js';
import { followFlowSync, openSimulation, runScenarioSync, parseScenario, compileScenario, resultToJson,
  validateScenario } from '../../../src/sim/index.js';
import { openGym } from '../../../src/gym/index.js';
import { planSweep } from '../../../src/sweep/index.js';
import { createEcnTunnelCounters } from '../../../src/tunnel/index.js';
import { configureEndCon, configureIngressPe, encapsulate } from '../../../src/tunnel/index.js';
import { locateRoce } from '../../../src/wire/roce/roce-frame.js';
import * as wire from '../../../src/wire/index.js';
import { parseGoal } from '../../../src/workloads/index.js';
import { programGraph } from '../../../src/workloads/program-graph.js';
import { captureContext, packet } from '../../support/sim-capture.js';
import { incastResult } from '../../support/sim-result.js';

const LINE = { lineRateBps: gbps(100) };
const address = (last: number): Uint8Array => Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last);
const ipv4 = (last: number): Uint8Array => wire.parseIpAddress(`10.0.0.${last}`);
const bytes = (count: number) => (): Uint8Array => new Uint8Array(count);
const cnp = (): Uint8Array => wire.Cnp.write({ source: address(1), destination: address(2), destQpn: 7 });
const mrcFrame = (): Uint8Array =>
  build(completeStack([
    { kind: 'ethernet', value: { destination: new Uint8Array(6), source: new Uint8Array(6) } },
    { kind: 'ipv6', value: { source: address(1), destination: address(2) } },
    { kind: 'udp' },
    { kind: 'mrc-bth', value: { opcode: wire.MrcOpcode.WRITE_ONLY, destQpn: 7 } },
    { kind: 'meth', value: { msn: 1 } },
    { kind: 'reth', value: { virtualAddress: 0n, rKey: 1, dmaLength: 64 } },
    { kind: 'payload', value: { bytes: new Uint8Array(64) } },
  ]));
const ethernet = (): Uint8Array => {
  const header = wire.Ethernet.write({
    destination: new Uint8Array(6),
    source: new Uint8Array(6),
    etherType: wire.EtherType.IPV6,
    tags: [],
  } as never);
  return Uint8Array.of(...header, ...cnp());
};
const fastCnp = (): Uint8Array =>
  wire.FastCnp.write(
    { source: address(1), destination: address(2), destQpn: 7, originalDestination: address(3) } as never,
  );
const dataPacket = (): Uint8Array =>
  build([
    { kind: 'ethernet', value: { destination: new Uint8Array(6), source: new Uint8Array(6) } },
    { kind: 'ipv6', value: { source: address(1), destination: address(2) } },
    { kind: 'udp' },
    { kind: 'bth', value: { opcode: wire.Opcode.SEND_ONLY, destQpn: 7 } },
    { kind: 'payload', value: { bytes: new Uint8Array(8) } },
    { kind: 'icrc' },
  ] as never);
const flagsOption = (): Uint8Array =>
  wire.RoceFcOption.write({ ...probe().request, originator: ipv4(1), head: 'flags' } as never);
const settingsText = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../data/settings/${file}`, import.meta.url)), 'utf8');
const openScenario = () => ({
  name: 'open',
  topology: { kind: 'star' as const, hosts: 2 },
  hosts: { retransmitTimeoutUs: 1000 },
});
const scenario = () => ({
  name: 'small',
  topology: { kind: 'star', hosts: 3, rateGbps: 100, delayNs: 1000 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 10000 },
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
});
const sweep = () => ({
  name: 'small',
  base: scenario(),
  axes: [{ path: 'workload.senders', values: [1, 2] }, {
    sample: 'random' as const,
    count: 2,
    ranges: [{ path: 'switches.ecn.kminKB', from: 10, to: 20 }],
  }],
  seeds: 1,
});
const sweepRow = () => {
  const [run] = planSweep(sweep()).runs;
  return { run, outcome: { ended: 'failed', reason: 'a reason' } };
};
const options = () => ({
  hashSeed: 1,
  parameterSets: {
    paper: dcqcnSigcomm15(LINE),
    hpcc: hpccSigcomm19({ ...LINE, baseRttPs: us(10) }),
    rccc: rcccUet({ ...LINE, baseRttPs: us(10) }),
  },
  capacity: { qps: 16, endpoints: 4, addresses: 8, events: 64, packets: 8, frameBytes: 4096 },
});
const REFERENCE_CONFIG = [
  'TOPOLOGY_FILE t',
  'FLOW_FILE f',
  'SIMULATOR_STOP_TIME 4.00',
  'CC_MODE 1',
  'ENABLE_QCN 1',
  'PACKET_PAYLOAD_SIZE 1000',
  'ALPHA_RESUME_INTERVAL 1',
  'RATE_DECREASE_INTERVAL 4',
  'CLAMP_TARGET_RATE 1',
  'RP_TIMER 900',
  'EWMA_GAIN 0.00390625',
  'FAST_RECOVERY_TIMES 5',
  'RATE_AI 50Mb/s',
  'RATE_HAI 100Mb/s',
  'MIN_RATE 100Mb/s',
  'HAS_WIN 1',
  'GLOBAL_T 1',
  'VAR_WIN 1',
  'U_TARGET 0.95',
  'RATE_BOUND 1',
  'ACK_HIGH_PRIO 0',
  'LINK_DOWN 0 0 0',
  'KMAX_MAP 1 100000000000 1600',
  'KMIN_MAP 1 100000000000 400',
  'PMAX_MAP 1 100000000000 0.3',
  'BUFFER_SIZE 32',
  '',
].join('\n');
/** An engine with QPs of several algorithms, and with actions. */
const engine = (): Engine => {
  const made = createEngineSync(options());
  made.addEndpoint(['10.0.0.1']);
  made.openQp({ localQpn: 1, peerAddress: '10.0.0.9' });
  made.openQp({ localQpn: 2, peerAddress: '10.0.0.9', parameterSet: 'hpcc' });
  made.openQp({ localQpn: 4, peerAddress: '10.0.0.9', parameterSet: 'rccc' });
  made.packets.add(1, ethernet());
  made.applyPackets();
  made.events.cnp(1000, 0);
  made.applyEvents();
  return made;
};
const frame = () => ({
  hasTime: true,
  epochSeconds: 1,
  picoseconds: 0,
  bytes: new Uint8Array(60),
  capturedBytes: 60,
  originalBytes: 60,
  linkType: 1,
  interfaceId: 0,
  section: 0,
});
const CAPTURE = new URL('../../captures/small/mixed_50.pcap', import.meta.url);
/** Holds settings to read, and receives written files. */
const FOLDER = mkdtempSync(`${tmpdir()}/roce-cc-api-`);
mkdirSync(`${FOLDER}/roce_rp/enable`, { recursive: true });
writeFileSync(`${FOLDER}/roce_rp/enable/3`, '1');
const batch = () => Object.assign(new CaptureBatch(4), { count: 1, bytes: new Uint8Array(60) });
const node = () => discovery.createNode({ address: address(9) });

const mac = bytes(6);
const liveScenario = () =>
  ({
    name: 'live',
    topology: { kind: 'star', hosts: 2, rateGbps: 1, delayNs: 1000 },
    workload: { kind: 'incast', senders: 1, sizeBytes: 10_000 },
    algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
  }) as const;
const ANY_LOCAL = { address: '127.0.0.1', port: 0 };
let lastPort: UdpPort | undefined;
/** Opens a socket and closes the previous one. */
const port = async (): Promise<UdpPort> => {
  lastPort?.close();
  lastPort = await openUdpPort({ local: ANY_LOCAL });
  return lastPort;
};
const path = () => qos.recommendedPath(1);
const request = () =>
  wire.RequestPacket.write({
    source: address(1),
    destination: address(2),
    request: probe().request,
    protocol: 17,
    payload: new Uint8Array(8),
  } as never);
const probe = () => discovery.startProbe(originator(), { destination: address(2), idNumber: 1 }, 1000);
const originator = () => discovery.createOriginator(address(1));
const plan = () => {
  const workload = [scenario().workload, { kind: 'collective', collective: 'barrier' }];
  return compileScenario(validateScenario({ ...scenario(), workload })).plan;
};
const hop = () => ({
  lineRateBps: gbps(100),
  timestampNs: 0,
  txBytes: 0,
  queueBytes: 0,
  lineRateCode: 1,
  timeNs: 0,
  txUnits: 0,
  queueUnits: 0,
});
const ioam = () => ({
  kind: 'pre-allocated',
  header: { namespaceId: 1, traceType: 0x800000, remainingLenWords: 1 },
  namespaceId: 1,
  traceType: 0x800000,
  nodes: [],
  freeBytes: 4,
  remainingLenWords: 1,
  flags: 0,
});
const trace = () => wire.IoamTraceData.write(ioam() as never);
const intMd = () => wire.IntMd.write({ header: intMdHeader(), hops: [] } as never);
const intMdHeader = () => ({
  instructions: 0x8000,
  hopMlWords: 1,
  remainingHopCount: 4,
  discard: false,
  exceededMaxHops: false,
  mtuExceeded: false,
  reserved: 0,
  domainId: 0,
  domainInstructions: 0,
  domainFlags: 0,
});

const recordedResult = () =>
  incastResult({
    senders: 2,
    result: {
      pauses: [{ port: 'h0:s0', trafficClass: 3, fromPs: 5, toPs: 9, endedBy: 'resume' }],
      queueHistogram: { polls: 3, ports: { 's0:h2': [1, 2] } },
    },
  });
const NCCL_XML = `<system version="1"><cpu numaid="0">${
  [1, 2].map((bus) => `<pci busid="0000:0${bus}:00.0" class="0x030200" link_speed="" link_width="0"/>`).join('')
}</cpu></system>`;
const TOPO =
  'Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 1\nDownlink_Latency_ns 1\nRadix_Down 2\nRadix_Up 2\n' +
  'Tier 1\nDownlink_speed_Gbps 1\nDownlink_Latency_ns 1\nRadix_Down 2\n';
const GOAL = 'num_ranks 2\nrank 0 {\na: calc 5\nb: send 9b to 1\nb requires a\n}\nrank 1 {\nrecv 9b from 0\n}\n';

export const KNOWN_VALUES: Readonly<Record<string, () => unknown>> = {
  '.source': () => address(1),
  '.destination': () => address(2),
  '.address': () => address(3),
  '.originator': () => address(4),
  '.originalDestination': () => address(5),
  '.sourceGid': () => address(6),
  '.destinationGid': () => address(7),
  '.endConSid': () => address(8),
  '.localSids': () => [address(8)],
  '.segments': () => [address(8)],
  '.peerAddress': () => '10.0.0.9',
  '.offset': () => 0,
  '.index': () => 0,
  '.optionOffset': () => 2,
  '.timePs': () => 1000,
  '.nowPs': () => 1000,
  '.lineRateBps': () => gbps(100),
  '.baseRttPs': () => us(10),
  '.rttPs': () => us(10),
  '.mssBytes': () => 4096,
  '.compareValue': bytes(16),
  '.swapValue': bytes(16),
  '.data': bytes(4),
  '.contents': bytes(6),
  '.padding': bytes(4),
  'Ipv4.write.header.options': bytes(4),
  'Ipv4.writeInto.header.options': bytes(4),
  'dcqcnNs3Custom.knobs.raiBps': () => gbps(1),
  'dcqcnNs3Custom.knobs.rhaiBps': () => gbps(1),
  '.target': bytes(512),
  'batchTimesPsInto.target': () => new Float64Array(8),
  'IoamTraceType.of.bits': () => 1,
  EcnTunnelCounters: () => createEcnTunnelCounters(),
  // Sized for the six ports of the kernel in the tests.
  PortSample: () => ({ queueBytes: new Float64Array(6), busyPs: new Float64Array(6) }),
  DscpMap: () => Array.from({ length: 64 }, () => 0),
  'Pfc.write.header.pauseQuanta': () => [1, 2, 3, 4, 5, 6, 7, 8],
  Pfc: () => ({ classEnableVector: 1, pauseQuanta: [1, 2, 3, 4, 5, 6, 7, 8] }),
  EthernetView: () =>
    new wire.Ethernet.View(wire.Ethernet.write({
      destination: mac(),
      source: mac(),
      etherType: 0x800,
      tags: [{ tpid: 0x8100, priority: 3, dropEligible: false, vlanId: 7 }],
    } as never)),
  Ethernet: () => ({ destination: mac(), source: mac(), etherType: 0x800, tags: [] }),
  'Pause.frame.source': mac,
  'Pause.frameInto.source': mac,
  'Pfc.frame.source': mac,
  'Pfc.frameInto.source': mac,
  'LinuxSll.write.header.address': bytes(8),
  'LinuxSll.writeInto.header.address': bytes(8),
  'LinuxSll2.write.header.address': bytes(8),
  'LinuxSll2.writeInto.header.address': bytes(8),
  'Ipv4.write.header.source': () => ipv4(1),
  'Ipv4.write.header.destination': () => ipv4(2),
  'Ipv4.writeInto.header.source': () => ipv4(1),
  'Ipv4.writeInto.header.destination': () => ipv4(2),
  'Ipv4.computeChecksum.bytes': () => Uint8Array.of(0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2),
  'RoceFcOption.write.header.originator': () => ipv4(1),
  'RoceFcOption.write.option.originator': () => ipv4(1),
  'RoceFcOption.writeInto.option.originator': () => ipv4(1),
  'RoceFcFlagsOption.write.header.originator': () => ipv4(1),
  'RoceFcFlagsOption.writeInto.header.originator': () => ipv4(1),
  'parseIpAddress.text': () => '2001:db8::1',
  'parsePrefix.text': () => '2001:db8::/32',
  'ParameterProblem.packetFor.packet': fastCnp,
  'Icrc.compute.datagram': cnp,
  'Icrc.isRight.packet': cnp,
  'Icrc.read.bytes': bytes(4),
  'Cnp.judgeIcrc.bytes': cnp,
  'Icrc.computeAt.bytes': cnp,
  'Icrc.computeAt.ipOffset': () => 0,
  'Icrc.computeAt.udpOffset': () => 40,
  'Icrc.computeAt.icrcOffset': () => cnp().length - 4,
  LocatedRoce: () => locateRoce(cnp(), 0, 'none'),
  'fastCnpFor.dataPacket': dataPacket,
  'fastCnpFieldsFor.dataPacket': dataPacket,
  'ParameterProblem.packetFor.pointerOffset': () => 46,
  '.switchAddress': () => address(9),
  'OptionsHeader.write.header': () => ({
    nextHeader: 59,
    options: [{ kind: 'option', type: 0x1e, data: new Uint8Array(4) }],
  }),
  'OptionsHeader.writeInto.header': () => ({
    nextHeader: 59,
    options: [{ kind: 'option', type: 0x1e, data: new Uint8Array(4) }],
  }),
  'OptionsHeader.layOut.options': () => [{ type: 0x1e, data: new Uint8Array(4), multiple: 4, remainder: 2 }],
  'HpccIntUnits.encode.hop': hop,
  ...Object.fromEntries(
    ['HpccInt.write', 'HpccInt.writeInto'].flatMap((name) =>
      ['header', 'int', 'hpccInt'].map((parameter) => [
        `${name}.${parameter}`,
        () => ({ hopCount: 1, pathId: 0, hops: Array.from({ length: 5 }, hop) }),
      ])
    ),
  ),
  ...Object.fromEntries(
    ['IoamTraceData.write', 'IoamTraceData.writeInto', 'IoamTraceData.lenBytesOf'].flatMap((name) =>
      ['trace', 'fields'].map((parameter) => [`${name}.${parameter}`, ioam])
    ),
  ),
  'IoamNodeCursor.moveTo.bytes': trace,
  'IoamTraceData.endOf.bytes': trace,
  'pushIoamNode.bytes': trace,
  'IoamTraceData.read.bytes': trace,
  'IntMd.read.bytes': intMd,
  'IntMd.push.intMd': intMd,
  'IoamTraceData.endOf.lenBytes': () => trace().length,
  'pushIoamNode.lenBytes': () => trace().length,
  'IoamTraceData.read.lenBytes': () => trace().length,
  'IoamNodeCursor.moveTo.lenBytes': () => trace().length,
  'IoamNodeCursor.moveTo.kind': () => 'pre-allocated',
  IoamNodeCursor: () => new wire.IoamNodeCursor(),
  'IntMdHop.read.instructions': () => 0x8000,
  'IntMdHop.read.lenBytes': () => 4,
  'IntMd.read.lenBytes': () => intMd().length,
  'fitQosData.roomBytes': () => 64,
  'RequestPacket.forward.bytes': request,
  'RequestPacket.forward.outboundHopCount': () => 1,
  'new RoceFcFlagsOption.View.bytes': flagsOption,
  'RoceFcFlagsOptionView.moveTo.bytes': flagsOption,
  RoceFcFlagsOptionView: () => new wire.RoceFcFlagsOption.View(flagsOption()),
  QosData: () => discovery.describeNode(node(), 1),
  'QosParts.read.bytes': () => {
    const target = new Uint8Array(512);
    return target.slice(0, wire.QosParts.writeInto(target, 0, {} as never));
  },
  FrameLink: () => 'ethernet',
  EngineOptions: options,
  DcqcnEngineOptions: () => ({ ...options(), parameterSets: { paper: dcqcnSigcomm15(LINE) } }),
  Engine: engine,
  'Engine.openQp.options': () => ({ localQpn: 3, peerAddress: '10.0.0.9' }),
  'restoreEngineSync.snapshot': () => engine().snapshot(),
  'Engine.pullTarget.qp': () => 2,
  'Engine.fastCnp.fields': () => ({
    endpoint: 0,
    source: '2001:db8::1',
    originalDestination: '2001:db8::2',
    destQpn: 7,
  }),
  'Engine.restore.snapshot': () => engine().snapshot(),
  'Engine.addEndpoint.addresses': () => ['10.0.0.2'],
  RateTrace: () => {
    const made = createEngineSync({ ...options(), trace: true } as never);
    made.openQp({ localQpn: 1 });
    made.events.cnp(1000, 0);
    made.applyEvents();
    return made.trace;
  },
  'formatTrace.trace': () => [],
  'validateParameters.parameters': () => dcqcnSigcomm15(LINE),
  'validateDcqcn.parameters': () => dcqcnSigcomm15(LINE),
  'ineffectiveSettings.parameters': () => dcqcnSigcomm15(LINE),
  'dcqcnNs3Custom.knobs.minRateBps': () => gbps(1),
  DcqcnParameters: () => dcqcnSigcomm15(LINE),
  CaptureFrame: frame,
  'encodeCapture.frames': () => [frame()],
  'writeCapture.frames': () => [frame()],
  'captureWriteStream.frames': () => [frame()],
  'writeCaptureFile.frames': () => [frame()],
  'readCapture.source': () => encodeCapture([frame()] as never, { format: 'pcap', linkType: 1 } as never),
  'readCaptureBatches.source': () => encodeCapture([frame()] as never, { format: 'pcap', linkType: 1 } as never),
  'openCaptureFile.path': () => fileURLToPath(CAPTURE),
  'readCaptureFile.path': () => fileURLToPath(CAPTURE),
  'readCaptureFileBatches.path': () => fileURLToPath(CAPTURE),
  'writeCaptureFile.path': () => `${FOLDER}/written.pcap`,
  'copyFrame.batch': batch,
  'viewFrame.batch': batch,
  'batchTimesPsInto.batch': batch,
  CaptureBatch: () => new CaptureBatch(4),
  'importIrdma.text': () => settingsText('irdma-sysfs.txt'),
  'importSonicConfig.text': () =>
    readFileSync(fileURLToPath(new URL('../../../examples/operators/leaf1-config_db.json', import.meta.url)), 'utf8'),
  'importMlxconfig.text': () => settingsText('mlxconfig-query.txt'),
  'importMlnxQos.text': () => settingsText('mlnx-qos-dscp.txt'),
  'listMlxconfig.text': () => settingsText('mlxconfig-query.txt'),
  'importCcParams.text': () => settingsText('cc-params.txt'),
  'importRoceSysfs.text': () => settingsText('roce-sysfs.txt'),
  'importRoceSysfsFolder.folder': () => FOLDER,
  Packet: () => dissect(ethernet()),
  'build.stack': () => completeStack(dissect(ethernet()).layers as never),
  'completeStack.stack': () => dissect(ethernet()).layers,
  'layersFromJson.json': () => packetToJson(dissect(ethernet()))['layers'],
  'toJson.value': () => 5,
  'dissectInto.rules': () => dissectionRules(),
  'UsidCarrier.shift.address': () => wire.UsidCarrier.write({ block: 1, usids: [1, 2] }),
  'trimMrcFrame.frame': mrcFrame,
  'TrimOptions.keptBytes': () => 90,
  'decapsulate.bytes': () => encapsulate(cnp(), { source: address(1), destination: address(2) }),
  'locateTunnel.bytes': () => encapsulate(cnp(), { source: address(1), destination: address(2) }),
  ...Object.fromEntries([
    'encapsulate',
    'encapsulateInto',
    'encapsulatedBytes',
    'ingressEncapsulate',
    'ingressEncapsulateInto',
    'packetKeysOf',
    'endConReceive',
    'answerFromWan',
    'routePacket',
    'deliverPacket',
  ].flatMap((name) => ['packet', 'bytes'].map((parameter) => [`${name}.${parameter}`, cnp]))),
  EndCon: () => configureEndCon({ localSids: [address(8)] }),
  IngressPe: () => configureIngressPe({ endConSid: address(8), destination: address(2) }),
  FlowControlState: () => flow.createFlowControl({ modes: ['priority'] as never }),
  FlowControlSettings: () => ({ modes: ['priority'] }),
  PacketKeys: () => ({
    priorityId: 3,
    outer: { source: address(1), destination: address(2), protocol: 17, sourcePort: 1, destinationPort: 2 },
  }),
  'arnFor.mode': () => 'priority',
  OriginatorState: () => probe().state,
  'startProbe.state': originator,
  'startPolicyPush.state': originator,
  '.idNumber': () => 1,
  'nextProbeDeadlinePs.options': originator,
  'describeNode.options': node,
  DiscoveryNode: node,
  'lintPath.hops': path,
  'validatePath.hops': path,
  'reversePath.hops': path,
  'validatePortQos.value': () => qos.recommendedQos(),
  HostMarkingValues: () => ({ wqePriority: 3, wqeTclass: 104, qpEthPriority: 3, qpTclass: 104 }),
  'replay.frames': () => [],
  'declarationFromJson.text': () => '{"name":"mine"}',
  'defineAlgorithm.definition': () => ({ name: 'mine', ack: () => undefined }),
  'defineCongestionPoint.definition': () => ({ name: 'mine', enqueue: () => undefined }),
  'parseFlows.text': () => 'sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,1,10.0.0.2,2\n',
  'createEngineStreaming.response': () =>
    new Response(readFileSync(new URL('../../../dist/engine.wasm', import.meta.url)), {
      headers: { 'content-type': 'application/wasm' },
    }),
  'foundFlows.report': () => ({
    connections: [{ a: { address: '10.0.0.1', qpn: 1 }, b: { address: '10.0.0.2', qpn: 2 }, from: 'cm' }],
    streams: [{ source: '10.0.0.1', destination: '10.0.0.2', destQpn: 2, dataFrames: 1 }],
  }),
  'replay.options': () => ({
    parameters: dcqcnSigcomm15(LINE),
    flows: [{ senderAddress: '10.0.0.1', senderQpn: 1, peerAddress: '10.0.0.2', peerQpn: 2 }],
  }),
  ScenarioSpec: scenario,
  Gym: () => {
    const gym = openGym(scenario() as never);
    gym.reset(1);
    return gym;
  },
  'parseSweep.given': sweep,
  SweepSpec: sweep,
  'planSweep.base': scenario,
  SweepPlan: () => planSweep(sweep()),
  SweepRow: sweepRow,
  SweepJob: () => ({ scenario: scenario(), metrics: ['slowdown.p99[..1000]'], sizeBuckets: [1000, 2000] }),
  'runJob.maxMemoryBytes': () => 1e10,
  CompiledScenario: () => compileScenario(validateScenario(scenario())),
  ValidScenario: () => validateScenario(scenario()),
  'requireMemory.maxBytes': () => 1e10,
  'parseScenario.given': scenario,
  'validateScenario.given': scenario,
  NetworkPlan: plan,
  QosMap: () => qos.recommendedQos(),
  'intentOf.host': () => qos.recommendedHost('h0'),
  SimResult: () => incastResult({ senders: 2 }),
  'referencePfcParts.result': recordedResult,
  'referenceQlenParts.result': recordedResult,
  CaptureContext: () => captureContext(),
  PacketRecord: () => packet('data'),
  'parseResultJson.text': () => resultToJson(incastResult({ senders: 2 })),
  'readSizePoints.text': () => '0 0\n10 100\n',
  'sizePointsOf.distribution': () => 'Solar',
  'parseGoal.text': () => GOAL,
  'readGoal.source': () => new TextEncoder().encode(GOAL),
  'readConnectionMatrix.source': () => new TextEncoder().encode('Nodes 2\nConnections 1\n0->1 start 0 size 9\n'),
  'readChakra.files':
    () => [{ name: 'x.0.json', source: new TextEncoder().encode('{"workload_graph":[{"NodeType":4}]}') }],
  'readChakra.options': () => ({ groups: { 1: [0] } }),
  'readHtsimTopology.source': () => new TextEncoder().encode(TOPO),
  'readHtsimTopology.options': () => ({ failures: [{ switchType: 'TOR', switchId: 0, linkId: 0 }] }),
  'readNcclTopology.source': () => new TextEncoder().encode(NCCL_XML),
  'readSimai.source': () => new TextEncoder().encode('MICRO all_gpus: 2\n1\nl -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'),
  'readSimai.options': () => ({ ranks: 2 }),
  'readSimaiTopology.source': () => new TextEncoder().encode('3 2 0 1 2 none\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n'),
  'ncclSettingsOfTopology.topology': () => ({
    topology: { kind: 'edges', nodes: [], links: [{ from: 'h0', to: 'nv2', rateGbps: 1, delayNs: 1 }] },
    hosts: 2,
    nvSwitches: ['nv2'],
    switches: 0,
    gpusPerServer: 2,
    gpuType: 'A100',
    notes: [],
  }),
  'jobAlone.result': () =>
    runScenarioSync(parseScenario({ ...scenario(), workload: { kind: 'collective', collective: 'barrier' } })),
  'jobAlone.index': () => 0,
  'uetReference.argv': () => ['-tm', 'conn.cm', '-nodes', '16', '-end', '100'],
  'uetReference.readFile': () => () => 'Nodes 16\nConnections 1\n0->15 start 0 size 100\n',
  'runUetReference.argv': () => ['-tm', 'conn.cm', '-nodes', '16', '-end', '100'],
  'runUetReference.readFile': () => () => 'Nodes 16\nConnections 1\n0->15 start 0 size 100\n',
  'simaiScenario.parts': () => ({ name: 'x', gpus: 2, job: { kind: 'job', format: 'simai', file: 'x' } }),
  'writeChakra.graph': () =>
    programGraph([{ kind: 'compute', name: 'a', after: undefined, durationPs: 1e6, ranks: undefined }], 2, 'p'),
  WorkloadGraph: () => parseGoal(GOAL),
  'RouteTable.group.destination': () => 0,
  'WorkloadGraph.describe.operation': () => 0,
  'WorkloadGraph.nameOf.operation': () => 0,
  'WorkloadGraph.rankOf.operation': () => 0,
  'followFlow.result': () => runScenarioSync(parseScenario(scenario())),
  'followFlowSync.result': () => runScenarioSync(parseScenario(scenario())),
  FlowPath: () => {
    const compiled = compileScenario(validateScenario(scenario()));
    return followFlowSync(compiled, runScenarioSync(compiled));
  },
  FrameBatch: () => makeFrameBatch({ frames: 4, bytes: 4096 }),
  'watch.source': port,
  FramePort: port,
  UdpPort: port,
  PortWaiter: async () => await openPortWaiter([await port()]),
  'portBatches.options': () => ({ idleMs: 1 }),
  'openUdpPort.options': () => ({ local: ANY_LOCAL }),
  'openPacketPort.name': () => 'lo',
  'openTapPort.name': () => `roce${process.pid}api`,
  'openSimulation.scenario': openScenario,
  'openNativePlan.scenario': openScenario,
  OpenSimulation: () => {
    const simulation = openSimulation(openScenario());
    simulation.send({ from: 'h0', to: 'h1', sizeBytes: 1000 });
    return simulation;
  },
  'OpenSimulation.send.flow': () => ({ from: 'h0', to: 'h1', sizeBytes: 1000 }),
  'traceRates.options': () => ({
    module: new WebAssembly.Module(readFileSync(SIM_TRACE_FILE)),
    onChange: () => undefined,
  }),
  'watch.options': () => ({ parameters: dcqcnSigcomm15(LINE), signal: AbortSignal.abort() }),
  'runNotificationPoint.options': () => ({
    flows: parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,1,10.0.0.2,2\n', 'x'),
    signal: AbortSignal.abort(),
  }),
  'runSwitch.ports': async () => [await port(), await port()],
  'runSwitch.options': () => ({ scenario: liveScenario(), signal: AbortSignal.abort() }),
  'runHosts.ports': async () => [await port(), await port()],
  'runHosts.options': () => ({ scenario: liveScenario(), signal: AbortSignal.abort() }),
  'runEdge.ports': async () => [await port(), await port()],
  'runEdge.options': () => ({
    scenario: {
      ...liveScenario(),
      topology: { kind: 'two-data-centers', leaves: 1, spines: 1, hostsPerLeaf: 1, wan: { edges: 1 } },
    },
    node: 'pe0',
    signal: AbortSignal.abort(),
  }),
  'emulateSwitch.scenario': () => liveScenario(),
  'emulateHosts.scenario': () => liveScenario(),
  'replayArrivals.arrivals': () => [],
  'replayArrivals.scenario': () => liveScenario(),
  SwitchEmulation: () => emulateSwitch(liveScenario()),
  HostsEmulation: () => emulateHosts(liveScenario()),
  'HostsEmulation.receive.host': () => 'h0',
  'HostsEmulation.counters.host': () => 'h0',
  'runNamespaceDemo.options': () => ({ mode: 'dcqcn', rateBps: 1e7, seconds: 0.1, signal: AbortSignal.abort() }),
  'runUdpDemo.options': () => ({ mode: 'dcqcn', rateBps: 1e7, seconds: 0.1, signal: AbortSignal.abort() }),
  ReferenceExperiment: () => ({
    config: REFERENCE_CONFIG,
    readFile: (
      name: string,
    ) => (name === 't' ? '3 1 2\n0\n0 1 100Gbps 0.001ms 0\n0 2 100Gbps 1us 0\n' : '1\n1 2 3 100 5000 2\n'),
  }),
};

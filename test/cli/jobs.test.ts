/** `roce-cc run` on files of workloads, alone and in scenarios. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { validateScenario } from '../../src/sim/index.js';
import { run } from './support/run.js';

const GOAL =
  'num_ranks 2\nrank 0 {\nc: calc 1000\ns: send 5000b to 1\ns requires c\n}\nrank 1 {\nrecv 5000b from 0\n}\n';
const SAMPLES = fileURLToPath(new URL('../workloads/samples/', import.meta.url));

let folder = '';
const inFolder = (...parts: string[]): string => path.join(folder, ...parts);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-jobs-'));
  writeFileSync(inFolder('two.goal'), GOAL);
  writeFileSync(inFolder('scenario.json'), JSON.stringify({
    name: 'two jobs',
    topology: { kind: 'star', hosts: 4 },
    workload: [
      { kind: 'job', name: 'a', format: 'goal', file: 'two.goal' },
      { kind: 'job', name: 'b', format: 'goal', file: 'two.goal', hosts: ['h2', 'h3'], after: 'a' },
    ],
  }));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function resultOf(...args: readonly string[]): Promise<SimResult> {
  const { exitCode, stdout, stderr } = await run(['run', ...args, '--json', '-']);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as SimResult;
}

describe('A workload file', () => {
  it('runs on one switch, or on the requested topology', async () => {
    const star = await resultOf('--goal', inFolder('two.goal'));
    expect([star.scenario.name, star.scenario.topology]).toEqual(['two', { kind: 'star', hosts: 2 }]);
    const tree = await resultOf('--goal', inFolder('two.goal'), '--topology', 'fat-tree:k=4,rateGbps=400');
    expect(tree.scenario.topology).toEqual({ kind: 'fat-tree', k: 4, rateGbps: 400 });
    expect(tree.jobs?.[0]?.endPs).toBeGreaterThan(1e6);
  });

  it('is shown as a table of jobs, and can be explained', async () => {
    const { stdout } = await run(['run', '--goal', inFolder('two.goal'), '--json', inFolder('result.json')], 100);
    expect(stdout).toMatch(
      /Jobs.*\n +job +ranks +messages +bytes +operations +done after +last rank +computes +exposed\n/,
    );
    expect(stdout).toMatch(/ two +2 +1 +5 kB +3 +[\d.]+ µs +0 \(h0\) +1 µs +[\d.]+ µs\n/);
    expect((await run(['explain', inFolder('result.json')])).exitCode).toBe(0);
  });

  it('may be Chakra traces with their groups, or a connection matrix', async () => {
    const chakra = await resultOf('--chakra', `${SAMPLES}chakra/groups-8`);
    expect(chakra.jobs?.[0]).toMatchObject({ name: 'groups-8', ranks: 8, messages: 112 });
    const prefixed = await resultOf('--chakra', `${SAMPLES}chakra/pipeline-4-json/pp`);
    expect(prefixed.jobs?.[0]).toMatchObject({ name: 'pp', ranks: 4, messages: 9 });
    const us = await resultOf('--cm', `${SAMPLES}htsim/plain-8.cm`, '--set', 'workload.startUnit=us');
    expect(us.jobs?.[0]?.endPs).toBeGreaterThan(5e12);
  });

  it('may have endless flows, which send until the requested time', async () => {
    writeFileSync(inFolder('endless.cm'), 'Nodes 3\nConnections 2\n0->2 start 0 size 0\n1->2 start 0 size 0\n');
    const without = await run(['run', '--cm', inFolder('endless.cm')]);
    expect([without.exitCode, without.stderr.includes('line 3: the size must be')]).toEqual([1, true]);
    const result = await resultOf('--cm', inFolder('endless.cm'), '--until', '50us');
    expect([result.simulatedPs, result.summary.flowsEndless, result.summary.flowsUnfinished]).toEqual([50e6, 2, 0]);
    const set = await resultOf('--cm', inFolder('endless.cm'), '--set', 'durationUs=50');
    expect(set.hash).toBe(result.hash);
    const { stdout } = await run(['run', '--cm', inFolder('endless.cm'), '--until', '50us'], 100);
    expect(stdout).toContain('Ended at the stated time; 2 flows without an end sent until then.');
    for (const until of ['50', '0us', '10000s', 'soon'])
      expect((await run(['run', '--cm', inFolder('endless.cm'), '--until', until])).exitCode).toBe(2);
  });

  it('is rejected in one line with the position if it is invalid', async () => {
    const file = `${SAMPLES}malformed/goal-unknown-label.goal`;
    const { exitCode, stdout, stderr } = await run(['run', '--goal', file]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`roce-cc: ${file}, line 4: the label zz names no operation of rank 0 [UNKNOWN_LABEL].\n`);
    expect((await run(['run', '--goal', inFolder('none.goal')])).stderr).toMatch(/no such file/);
    expect((await run(['run', '--chakra', `${SAMPLES}malformed/chakra`])).stderr).toMatch(/set of traces must be/);
  });

  it('needs a topology of the right form, which has no effect without a workload', async () => {
    for (const topology of ['ring:5', 'star:x', 'star:8,__proto__=1', 'leaf-spine:8']) {
      expect((await run(['run', '--goal', inFolder('two.goal'), '--topology', topology])).exitCode).toBe(2);
    }
    expect((await run(['run', inFolder('scenario.json'), '--topology', 'star:2'])).exitCode).toBe(2);
    const few = await run(['run', '--goal', `${SAMPLES}goal/barrier-8.goal`, '--topology', 'star:4']);
    expect(few.stderr).toMatch(/number of ranks must be at most 4 \(got 8\)/);
  });
});

const SIMAI_CONF = `ENABLE_QCN 1
PACKET_PAYLOAD_SIZE 9000
TOPOLOGY_FILE none
FLOW_FILE none
TRACE_FILE none
FCT_OUTPUT_FILE fct.txt
RATE_MON_FILE rate.txt
QP_MON_INTERVAL 100
SIMULATOR_STOP_TIME 40000000000000.00
CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
RP_TIMER 900
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
HAS_WIN 1
GLOBAL_T 0
VAR_WIN 1
KMAX_MAP 1 400000000000 3200
KMIN_MAP 1 400000000000 800
PMAX_MAP 1 400000000000 0.2
BUFFER_SIZE 32
`;

describe('Jobs over time', () => {
  it('are drawn in the report and in a file, with a bar for each operation', async () => {
    const [svg, report] = [inFolder('jobs.svg'), inFolder('jobs.html')];
    const { exitCode } = await run(['run', '--goal', inFolder('two.goal'), '--gantt', svg, '--report', report]);
    expect(exitCode).toBe(0);
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn.match(/<title>(?:compute|send|receive)[^<]*rank \d: /g)).toHaveLength(3);
    expect(drawn).toContain('<title>compute c, rank 0: 1 µs from 0 ps</title>');
    expect(readFileSync(report, 'utf8')).toContain('<h3>Jobs over time</h3>');
  });

  it('are compared with each job running alone on request', async () => {
    const { stdout } = await run(['run', inFolder('scenario.json'), '--alone'], 120);
    expect(stdout).toMatch(/exposed +alone +slowdown\n/);
    expect(stdout).toMatch(/ b +2 +.* 1\.00\n/);
  });

  it('have their iterations and bus bandwidth in a line', async () => {
    const { stdout } = await run([
      'run',
      'all-reduce',
      '--set',
      'workload.kind=collective',
      '--set',
      'workload.collective=all-reduce',
      '--set',
      'workload.repeat=2',
    ], 120);
    expect(stdout).toMatch(/all-reduce 0: 2 iterations of [\d.]+ [mu]s to/);
    expect(stdout).toMatch(/2 collectives, bus bandwidth [\d.]+ GB\/s to/);
  });
});

describe('Graphs of jobs', () => {
  it('are written as GOAL and as Chakra traces, which give the same run', async () => {
    const [goal, chakra] = [inFolder('again.goal'), inFolder('again')];
    const first = await resultOf('--goal', inFolder('two.goal'), '--write-goal', goal);
    const second = await resultOf('--goal', goal);
    expect(second.hash).toBe(first.hash);
    const traces = await resultOf('--chakra', `${SAMPLES}chakra/pipeline-4`, '--write-chakra', chakra);
    expect((await resultOf('--chakra', chakra)).flows).toEqual(traces.flows);
  });

  it('are rejected in one line if a format cannot express them', async () => {
    const { exitCode, stderr } = await run([
      'run',
      '--cm',
      `${SAMPLES}htsim/barrier-8.cm`,
      '--write-goal',
      inFolder('cm.goal'),
    ]);
    expect([exitCode, stderr.includes('GOAL has no dependencies between ranks')]).toEqual([1, true]);
  });
});

describe('A SimAI folder', () => {
  it('runs unchanged, with its topology and SimAI.conf', async () => {
    const place = inFolder('simai');
    mkdirSync(path.join(place, 'config'), { recursive: true });
    cpSync(`${SAMPLES}simai/two-layers.txt`, path.join(place, 'two-layers.txt'));
    cpSync(`${SAMPLES}simai/rail-16g-8gps-400Gbps-H100`, path.join(place, 'rail'));
    writeFileSync(path.join(place, 'config', 'SimAI.conf'), SIMAI_CONF);
    const { jobs, fidelity, scenario, notes, ports } = await resultOf('--simai', place);
    expect([fidelity, scenario.hosts?.mtuBytes, jobs?.[0]?.ranks, jobs?.[0]?.messages]).toEqual([
      'reference',
      9000,
      8,
      176,
    ]);
    expect(jobs?.[0]?.completionPs).toBeGreaterThan(73_500_000);
    expect(notes).toContain('Each send waits 6000 ns, as AS_SEND_LAT of SimAI.');
    // All eight are GPUs of one server, which talk through its NVSwitch.
    expect(ports.filter(({ name, txPackets }) => name.startsWith('h') && txPackets > 0).map(({ peer }) => peer))
      .toEqual(Array.from({ length: 8 }, () => 'nv16'));
    const sooner = await resultOf('--simai', place, '--set', 'workload.sendOverheadNs=0');
    // Of four rounds of all-reduces and three of the others, 20 messages follow each other.
    expect((jobs?.[0]?.completionPs ?? 0) - (sooner.jobs?.[0]?.completionPs ?? 0)).toBe(20 * 6_000_000);
  });

  it('runs its collectives over servers by a ring for each GPU of a server, as in its topology', async () => {
    const place = inFolder('simai-rings');
    mkdirSync(place);
    const workload = 'MICRO all_gpus: 16\n1\nl -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 1048576 0\n';
    writeFileSync(path.join(place, 'micro.txt'), workload);
    cpSync(`${SAMPLES}simai/rail-16g-8gps-400Gbps-H100`, path.join(place, 'rail'));
    const eight = await resultOf('--simai', place);
    expect(eight.scenario.workload).toMatchObject({
      gpusPerServer: 8,
      gpuType: 'H100',
      nvlinkGbps: 2880,
      nvlinkLatencyNs: 25,
      nicGbps: 400,
    });
    expect(eight.jobs?.[0]?.messages).toBe(8 * 16 * 30);
    expect(eight.notes.join('\n')).toContain(
      'Collectives run as SimAI makes them: 1 all-reduce of 16 GPUs by 8 rings.',
    );
    const one = await resultOf('--simai', place, '--set', 'workload.channels=1');
    expect(one.jobs?.[0]?.messages).toBe(16 * 30);
    expect(one.notes.join('\n')).toContain(
      '1 collective runs one ring where SimAI runs one per local GPU, 8: first at',
    );
    const tree = await resultOf('--simai', place, '--set', 'workload.ncclAlgorithm=tree');
    expect(tree.jobs?.[0]?.messages).toBe(16 * 64 * 30);
    const { stderr } = await run(['run', '--simai', place, '--set', 'workload.channels=0']);
    expect(stderr).toMatch(/workload\.channels must be .*1/);
  });

  it('is rejected if it has several workloads, each of which runs on the requested topology', async () => {
    const several = await run(['run', '--simai', `${SAMPLES}simai`]);
    expect([several.exitCode, several.stderr.includes('experts.txt')]).toEqual([1, true]);
    const workload = `${SAMPLES}simai/experts.txt`;
    const star = await resultOf('--simai', workload, '--topology', 'star:8');
    expect([star.scenario.topology.kind, star.jobs?.[0]?.messages]).toEqual(['star', 48]);
    const rail = await resultOf('--simai', workload, '--topo', `${SAMPLES}simai/rail-16g-8gps-400Gbps-H100`);
    expect([rail.scenario.topology.kind, rail.fidelity]).toEqual(['edges', 'standard']);
    // Eight GPUs on as many servers of NCCL's XML as they need.
    const xml = await resultOf('--simai', workload, '--topo', `${SAMPLES}nccl/server-4g.xml`);
    expect(xml.notes.join()).toContain('2 servers of 4 GPUs as the file has them.');
    expect(xml.jobs?.[0]?.waiting).toEqual([]);
    expect((await run(['run', '--simai', `${SAMPLES}goal`])).stderr).toMatch(/has no workload of SimAI/);
  });
});

describe('An htsim topology file', () => {
  it('is the network of a matrix, without the failed links', async () => {
    const result = await resultOf('--cm', `${SAMPLES}htsim/failures-16.cm`, '--topo',
      `${SAMPLES}htsim/fat-tree-16.topo`);
    expect(result.notes).toContain('2 links are down for the whole run.');
    expect(result.notes.join()).not.toMatch(/not applied/);
    expect(result.ports.some(({ name }) => name === 'agg1:core3')).toBe(false);
    expect(result.jobs?.[0]?.waiting).toEqual([]);
    const server = await resultOf('--goal', inFolder('two.goal'), '--topo', `${SAMPLES}nccl/server-4g.xml`);
    expect(server.scenario.topology.kind === 'edges' && server.scenario.topology.nodes[0]?.name).toBe('h0');
    const goal = await resultOf('--goal', inFolder('two.goal'), '--topo', `${SAMPLES}htsim/leaf-spine-16.topo`);
    expect(goal.jobs?.[0]?.hosts).toEqual(['h0', 'h1']);
  });

  it('has no effect without a workload, or together with another topology', async () => {
    const topo = `${SAMPLES}htsim/fat-tree-16.topo`;
    expect((await run(['run', inFolder('scenario.json'), '--topo', topo])).exitCode).toBe(2);
    expect((await run(['run', '--goal', inFolder('two.goal'), '--topo', topo, '--topology', 'star:2'])).exitCode).toBe(
      2,
    );
    const wrong = await run(['run', '--goal', inFolder('two.goal'), '--topo', inFolder('scenario.json')]);
    expect(wrong.stderr).toMatch(/UNKNOWN_TOKEN|TOPO_SYNTAX/);
  });
});

describe('A scenario whose topology is a file', () => {
  const scenario = (topology: object, workload: object): void => {
    writeFileSync(inFolder('with-file.json'), JSON.stringify({ name: 'with a file', topology, workload }));
  };

  it('runs on the topology of the file, relative to the scenario', async () => {
    cpSync(path.join(SAMPLES, 'htsim/fat-tree-16.topo'), inFolder('net.topo'));
    cpSync(path.join(SAMPLES, 'htsim/failures-16.cm'), inFolder('failing.cm'));
    const cm = { kind: 'job', format: 'cm', file: 'failing.cm', failures: 'in-topology' };
    scenario({ kind: 'file', format: 'htsim', file: 'net.topo' }, cm);
    const read = await resultOf(inFolder('with-file.json'));
    const asked = await resultOf('--cm', inFolder('failing.cm'), '--topo', inFolder('net.topo'));
    expect(read.scenario.topology).toEqual(asked.scenario.topology);
    expect(read.jobs?.[0]?.endPs).toBe(asked.jobs?.[0]?.endPs);
  });

  it('may name a SimAI topology', async () => {
    cpSync(path.join(SAMPLES, 'simai/rail-16g-8gps-400Gbps-H100'), inFolder('rails'));
    scenario({ kind: 'file', format: 'simai', file: 'rails' }, { kind: 'incast', senders: 2, sizeBytes: 1000 });
    const { scenario: { topology } } = await resultOf(inFolder('with-file.json'));
    expect(topology.kind === 'edges' && topology.nodes.map(({ name }) => name)).toContain('nv16');
  });

  it("may name NCCL's XML of one server, or of several equal ones", async () => {
    cpSync(path.join(SAMPLES, 'nccl/server-4g.xml'), inFolder('server.xml'));
    const incast = { kind: 'incast', senders: 2, sizeBytes: 1000 };
    scenario({ kind: 'file', format: 'nccl-xml', file: 'server.xml', servers: 3 }, incast);
    const { scenario: { topology }, notes } = await resultOf(inFolder('with-file.json'));
    expect(topology.kind === 'edges' && topology.nodes.filter(({ kind }) => kind === 'host')).toHaveLength(12);
    expect(notes.join()).toContain('3 servers of 4 GPUs as the file has them.');
    scenario({ kind: 'file', format: 'simai', file: 'rails', servers: 3 }, incast);
    expect((await run(['run', inFolder('with-file.json')])).stderr).toMatch(
      /topology\.servers applies to the format nccl-xml only/,
    );
  });

  it('is rejected if the file is missing, has an unexpected form, or nothing reads it', async () => {
    scenario({ kind: 'file', format: 'htsim', file: 'none.topo' }, { kind: 'incast', senders: 2, sizeBytes: 1000 });
    expect((await run(['run', inFolder('with-file.json')])).stderr).toMatch(/none\.topo/);
    scenario({ kind: 'file', format: 'ns3', file: 'net.topo' }, { kind: 'incast', senders: 2, sizeBytes: 1000 });
    expect((await run(['run', inFolder('with-file.json')])).stderr).toMatch(
      /topology\.format must be "htsim", "simai" or "nccl-xml"/,
    );
    const unread = { kind: 'file', format: 'htsim', file: 'net.topo' } as const;
    expect(() =>
      validateScenario({ name: 'x', topology: unread, workload: { kind: 'incast', senders: 2, sizeBytes: 1 } })
    )
      .toThrow(/the file of the topology has not been read/);
  });
});

describe('A scenario of jobs', () => {
  it('names their files relative to the scenario', async () => {
    const { jobs } = await resultOf(inFolder('scenario.json'));
    expect(jobs?.map(({ name, hosts }) => [name, hosts])).toEqual([['a', ['h0', 'h1']], ['b', ['h2', 'h3']]]);
    expect(jobs?.[1]?.startPs).toBe(jobs?.[0]?.endPs);
  });
});

/** The drawing and the text of a flow's path. */
import { describe, expect, test } from 'vitest';
import { compileScenario, followFlowSync, runScenarioSync, validateScenario,
  type FlowPath } from '../../src/sim/index.js';
import { nsText, pathPortRows, pathSentences, PATH_PORT_COLUMNS, ROUTE_COLUMNS,
  routeRows } from '../../src/view/path-words.js';
import { pathRows, pathSvg } from '../../src/view/path-svg.js';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../src/view/format.js';
import { pathSection } from '../../src/cli/report/report-tables.js';

const FORMATS = { size: formatBytes, rate: formatRate, duration: formatDuration, count: formatCount };
const compiled = compileScenario(validateScenario({
  name: 'incast',
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 100_000 },
}));
const path = followFlowSync(compiled, runScenarioSync(compiled), 1)!;

/** A hop of a handwritten path. */
const hop = (node: string, peer: string): FlowPath['data']['hops'][number] => ({
  ...path.data.hops[0]!,
  port: `${node}:${peer}`,
  node,
  peer,
});

describe('the view of a path', () => {
  test('has a row for each node, with those of a separate return path between the others', () => {
    expect(pathRows(path)).toEqual(['h1', 's0', 'h4']);
    const other: FlowPath = {
      ...path,
      data: {
        ...path.data,
        hops: [hop('h0', 'leaf0'), hop('leaf0', 'spine0'), hop('spine0', 'leaf1'), hop('leaf1', 'h9')],
      },
      response: {
        ...path.response!,
        hops: [hop('h9', 'leaf1'), hop('leaf1', 'spine1'), hop('spine1', 'leaf0'), hop('leaf0', 'h0')],
      },
    };
    expect(pathRows(other)).toEqual(['h0', 'leaf0', 'spine1', 'spine0', 'leaf1', 'h9']);
  });

  test('draws both packets, the queue and the congested port, and escapes names', () => {
    const svg = pathSvg(path, formatBytes);
    expect(svg.match(/<path [^>]*stroke="var\(--data/g)).toHaveLength(1);
    expect(svg.match(/<path [^>]*stroke="var\(--response[^>]*stroke-dasharray="7 3"/g)).toHaveLength(1);
    expect(svg.match(/<circle /g)).toHaveLength(1);
    expect(svg.match(/queue up to /g)).toHaveLength(1);
    expect(svg).not.toContain('NaN');
    expect(pathSvg({ ...path, from: '<b>' }, formatBytes)).toContain('&lt;b&gt;');
  });

  test('names the notifying node, and the time to the nanosecond', () => {
    const { data, response } = path;
    const [waited, told] = pathSentences(path, FORMATS);
    const [nic, port] = data.hops;
    expect(waited).toBe(
      `Flow 1, h1 to h4: its packet from byte ${formatCount(data.sequence)} on left h1 at ${
        nsText(nic!.leftPs)
      } and waited longest at s0:h4, ${nsText(port!.leftPs - port!.arrivedPs)} behind ${
        formatBytes(port!.aheadBytes)
      }.`,
    );
    expect(told).toBe(
      `It was marked at s0:h4, and h4 sent a CNP: that left at ${nsText(response!.hops[0]!.leftPs)} and reached h1 at ${
        nsText(response!.hops[1]!.reachedPs)
      }, ${nsText(response!.hops[1]!.reachedPs - nic!.leftPs)} after the packet had left.`,
    );
    expect(nsText(1_234_567_999)).toBe('1,234.567 µs');
  });

  test('has a table of links and one of ports, with as many columns as headers', () => {
    const rows = routeRows(path, FORMATS);
    expect(rows.map(([packet, port]) => [packet, port])).toEqual([
      ['data 1', 'h1:s0'],
      ['data 2', 's0:h4'],
      ['CNP 1', 'h4:s0'],
      ['CNP 2', 's0:h1'],
    ]);
    expect(rows.every(({ length }) => length === ROUTE_COLUMNS.length)).toBe(true);
    expect(pathPortRows(path, FORMATS).map(({ length }) => length)).toEqual(Array(2).fill(PATH_PORT_COLUMNS.length));
    expect(pathSection([path], ['incast'])).toContain('<table');
    expect(pathSection([undefined], ['incast'])).toBe('');
  });
});

/** NCCL's topology XML: nodes, rates, paths between GPUs, and the effect of each element and attribute. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/index.js';
import { readNcclTopology, type NcclTopologyOptions, type SimaiTopology } from '../../src/workloads/index.js';
import { NCCL_XML_FORMAT } from '../../src/workloads/nccl-xml/xml-reader.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { sampleText } from './support/samples.js';
import { textsOf } from '../support/note-texts.js';

const SERVER = sampleText('nccl/server-4g.xml');

const read = (text: string, options: NcclTopologyOptions = {}): Promise<SimaiTopology> =>
  readNcclTopology(new TextEncoder().encode(text), { name: 't.xml', ...options });

/** The rate of the link between two nodes. */
function rateOf({ topology }: SimaiTopology, a: string, b: string): number | undefined {
  return topology.links.find(({ from, to }) => (from === a && to === b) || (from === b && to === a))?.rateGbps;
}

async function pathOf(text: string, from: string, to: string,
  options: NcclTopologyOptions = {}): Promise<readonly string[] | undefined> {
  const { topology } = await read(text, options);
  const flows = [{ from, to, sizeBytes: 100_000 }];
  const [flow] = runScenarioSync({ name: 'nccl', topology, workload: { kind: 'flows', flows } }).flows;
  expect(flow?.completionPs).toBeGreaterThan(0);
  return flow?.path?.map((port) => port.split(':')[1] ?? '');
}

const WITHOUT_NVLINK = SERVER.replace(/\s*<nvlink[^>]*>/g, '');

describe('a server from NCCL topology XML', () => {
  it('has GPUs as hosts, all other nodes as switches, and the rates that NCCL assumes', async () => {
    const read1 = await read(SERVER);
    expect([read1.hosts, read1.gpusPerServer, read1.gpuType, read1.switches]).toEqual([4, 4, 'H100', 1]);
    expect(read1.topology.nodes.map(({ name }) => name)).toEqual([
      'h0',
      'h1',
      'h2',
      'h3',
      'cpu0.0',
      'pci0.0000-00-01.0',
      'nic0.0000-09-00',
      'cpu0.1',
      'pci0.0000-10-01.0',
      'nic0.0000-19-00',
      'nvs0',
      'net',
    ]);
    // 18 NVLinks of 20.6 GB/s; 16 lanes of 24 Gb/s; 22 GB/s between CPUs; 400,000 Mb/s.
    expect(rateOf(read1, 'h0', 'nvs0')).toBe(2966.4);
    expect(rateOf(read1, 'h0', 'pci0.0000-00-01.0')).toBe(384);
    expect(rateOf(read1, 'cpu0.0', 'cpu0.1')).toBe(176);
    expect(rateOf(read1, 'nic0.0000-19-00', 'net')).toBe(400);
  });

  it('connects its GPUs through the NVSwitch, and other servers through the nearest NIC', async () => {
    expect(await pathOf(SERVER, 'h0', 'h3')).toEqual(['nvs0', 'h3']);
    expect(await pathOf(SERVER, 'h0', 'h7', { servers: 2 })).toEqual([
      'pci0.0000-00-01.0',
      'nic0.0000-09-00',
      'net',
      'nic1.0000-19-00',
      'pci1.0000-10-01.0',
      'h7',
    ]);
  });

  it('without NVLinks connects its GPUs through PCIe and its CPUs, not through the network', async () => {
    expect(await pathOf(WITHOUT_NVLINK, 'h0', 'h1')).toEqual(['pci0.0000-00-01.0', 'h1']);
    expect(await pathOf(WITHOUT_NVLINK, 'h0', 'h2')).toEqual([
      'pci0.0000-00-01.0',
      'cpu0.0',
      'cpu0.1',
      'pci0.0000-10-01.0',
      'h2',
    ]);
  });

  it('with NVLinks between pairs connects the pairs directly', async () => {
    const pair = (text: string, index: number, target: string): string => {
      let at = -1;
      return text.replace(/<nvlink[^>]*>/g,
        (all) => (++at === index ? `<nvlink target="${target}" count="4" tclass="0x030200"/>` : all));
    };
    const paired = pair(pair(SERVER, 0, '0000:02:00.0'), 1, '0000:01:00.0');
    expect(await pathOf(paired, 'h0', 'h1')).toEqual(['h1']);
    expect(rateOf(await read(paired), 'h0', 'h1')).toBe(4 * 20.6 * 8);
    expect(await pathOf(paired, 'h2', 'h3')).toEqual(['nvs0', 'h3']);
    expect((await pathOf(paired, 'h0', 'h3'))?.[0]).toBe('pci0.0000-00-01.0');
  });

  it('is repeated as often as the ranks require', async () => {
    expect((await read(SERVER, { ranks: 9 })).hosts).toBe(12);
    expect((await read(SERVER, { ranks: 9, servers: 2 })).hosts).toBe(8);
    expect(textsOf((await read(SERVER, { servers: 3 })).notes)[0]).toBe(
      '3 servers of 4 GPUs as the file has them. 2 ports of NICs per server meet at one switch, net, with the rates of the ports.',
    );
  });

  it('has its GPUs in the order of their ranks', async () => {
    const swapped = SERVER.replace('rank="0"', 'rank="x"').replace('rank="3"', 'rank="0"').replace('rank="x"',
      'rank="3"');
    expect(rateOf(await read(swapped), 'h0', 'pci0.0000-10-01.0')).toBe(384);
    expect(rateOf(await read(SERVER), 'h0', 'pci0.0000-10-01.0')).toBeUndefined();
  });

  it('may be a template, in which GPUs and NICs are only PCI devices', async () => {
    const template = SERVER.replace(/<gpu[^]*?<\/gpu>/g, '').replace(/<nic>[^]*?<\/nic>/g, '');
    const { hosts, notes, topology } = await read(template, { servers: 2 });
    expect([hosts, topology.nodes.some(({ name }) => name === 'nvs0')]).toEqual([8, false]);
    expect(textsOf(notes).slice(2)).toContain('4 GPUs have no gpu element, and so no NVLinks: first at t.xml, line 6.');
    expect(textsOf(notes).slice(2)).toContain(
      '2 NICs have no net element, and get the rate of their PCI link: first at t.xml, line 12.',
    );
  });

  it('is separate for each host in a file with several hosts', async () => {
    const hosts = SERVER.replace('numaid="0"', 'host_hash="0xa1" numaid="0"').replace('numaid="1"',
      'host_hash="0xb2" numaid="0"');
    const two = await read(hosts);
    expect([rateOf(two, 'cpu0.0', 'cpu0-1.0'), rateOf(two, 'h3', 'nvs0')]).toEqual([undefined, 2966.4]);
  });

  it.each([
    ['2.5 GT/s PCIe', '16', 24],
    ['5.0 GT/s PCIe', '8', 24],
    ['8.0 GT/s PCIe', '16', 96],
    ['16.0 GT/s PCIe', '16', 192],
    ['64.0 GT/s PCIe', '16', 768],
    ['', '0', 96],
    ['Unknown', '4', 24],
  ])('PCIe %j of %s lanes has %d Gb/s', async (speed, width, gbps) => {
    const text = SERVER.replace('link_speed="32.0 GT/s PCIe" link_width="16">\n        <gpu',
      `link_speed="${speed}" link_width="${width}">\n        <gpu`);
    expect(rateOf(await read(text), 'h0', 'pci0.0000-00-01.0')).toBe(gbps);
  });

  it.each([['60', 18], ['70', 20], ['80', 20], ['86', 12], ['89', 20], ['90', 20.6], ['100', 40.1]])(
    'an NVLink of compute capability %s has %d GB/s',
    async (sm, gbytes) => {
      expect(rateOf(await read(SERVER.replace('sm="90"', `sm="${sm}"`)), 'h0', 'nvs0')).toBe(
        Math.round(18 * gbytes * 8e9) / 1e9,
      );
    },
  );
});

/** The file with an attribute inserted into an element. */
const within = (element: string, attribute: string): string =>
  SERVER.replace(`<${element} `, `<${element} ${attribute} `);
const replacing = (from: string | RegExp, to: string): string => SERVER.replace(from, to);
const AMD = replacing('GenuineIntel', 'AuthenticAMD');
const C2C = (text: string): string => SERVER.replace('</gpu>', `${text}</gpu>`);

const CHANGES: Readonly<Record<string, string | readonly [string, string]>> = {
  'system name': within('system', 'name="x"'),
  'cpu numaid': replacing('numaid="0"', 'numaid="7"'),
  'cpu host_hash': replacing('numaid="0"', 'host_hash="0x5" numaid="0"'),
  'cpu arch': replacing('x86_64', 'arm64'),
  'cpu vendor': AMD,
  'cpu familyid': [AMD.replace('familyid="6"', 'familyid="25"'), AMD],
  'cpu modelid': replacing('modelid="143"', 'modelid="207"'),
  'cpu affinity': [SERVER, replacing(/ affinity="ffff"/g, '')],
  'cpu affinity_offset': within('cpu', 'affinity_offset="1"'),
  'pci busid': replacing('busid="0000:00:01.0"', 'busid="0000:77:01.0"'),
  'pci class': [
    SERVER.replace(/<gpu[^]*?<\/gpu>/, ''),
    SERVER.replace(/<gpu[^]*?<\/gpu>/, '').replace('class="0x030200"', 'class="0x060400"'),
  ],
  'pci link_speed': replacing('32.0 GT/s', '16.0 GT/s'),
  'pci link_width': replacing('link_width="16"', 'link_width="8"'),
  ...Object.fromEntries(['vendor', 'device', 'subsystem_vendor', 'subsystem_device'].map((key) =>
    [`pci ${key}`, [
      SERVER,
      SERVER.replace(/<pci[^>]*>/g, (tag) => tag.replace(new RegExp(` ${key}="[^"]*"`), '')),
    ]] as const
  )),
  'pci keep': within('pci', 'keep="1"'),
  'pcilink target': SERVER.replace('</gpu>\n      </pci>', '</gpu>\n      </pci><pcilink target="0000:10:01.0"/>'),
  'gpu sm': replacing('sm="90"', 'sm="80"'),
  'gpu rank': replacing('rank="0"', 'rank="9"'),
  'gpu dev': [SERVER, SERVER.replace(/<gpu dev="\d"/g, '<gpu')],
  'gpu gdr': [SERVER, SERVER.replace(/rank="(\d)" gdr="1"/g, 'rank="$1"')],
  'gpu keep': within('gpu', 'keep="1"'),
  'gpu mlopart': within('gpu', 'mlopart="0"'),
  'nvlink target': [
    SERVER.replace('target="ffff:ff:ff.f" count="18" tclass="0x068000"',
      'target="0000:02:00.0" count="18" tclass="0x030200"'),
    SERVER.replace('target="ffff:ff:ff.f" count="18" tclass="0x068000"',
      'target="0000:11:00.0" count="18" tclass="0x030200"'),
  ],
  'nvlink tclass': replacing('tclass="0x068000"', 'tclass="0x068001"'),
  'nvlink count': replacing('count="18"', 'count="6"'),
  'c2c count': [C2C('<c2c bw="40000" count="10"/>'), C2C('<c2c bw="40000" count="5"/>')],
  'c2c bw': [C2C('<c2c bw="40000" count="10"/>'), C2C('<c2c bw="20000" count="10"/>')],
  'net dev': replacing('name="mlx5_0" dev="0"', 'name="mlx5_0"'),
  'net speed': replacing('speed="400000"', 'speed="200000"'),
  'net latency': replacing('latency="0.000000"', 'latency="1.5"'),
  'net net': within('net', 'net="0"'),
  ...Object.fromEntries(['name', 'port', 'guid', 'maxconn', 'gdr'].map((key) =>
    [`net ${key}`, [
      SERVER,
      SERVER.replace(/<net[^>]*>/g, (tag) => tag.replace(new RegExp(` ${key}="[^"]*"`), '')),
    ]] as const
  )),
  'net coll': within('net', 'coll="1"'),
  'net keep': within('net', 'keep="1"'),
  'net rail': within('net', 'rail="1"'),
  'net plane': within('net', 'plane="1"'),
  'net gin': within('net', 'gin="1"'),
  'net rma': within('net', 'rma="1"'),
  'element gin': SERVER.replace('</nic>', '<gin dev="0" speed="400000"/></nic>'),
  'element rma': SERVER.replace('</nic>', '<rma dev="0" speed="400000"/></nic>'),
};

describe('an item of the XML', () => {
  it.each(NCCL_XML_FORMAT.items.map(({ part, name, treatment }) => [`${part} ${name}`, treatment] as const))('%s: %s',
    async (item, treatment) => {
      if (item === 'system version') {
        expect((await asyncRejectionOf(read(replacing('version="1">', 'version="2">')))).fault).toBe('UNKNOWN_VERSION');
        return;
      }
      const change = CHANGES[item] ?? '';
      const [changed, plain] = typeof change === 'string' ? [change, SERVER] : change;
      expect(changed).not.toBe(plain);
      if (treatment === 'rejected') {
        const { where, message } = await asyncRejectionOf(read(changed));
        expect([where?.startsWith('t.xml, line '), message.includes(item.split(' ')[1] ?? '')]).toEqual([true, true]);
        return;
      }
      const [other, known] = [await read(changed), await read(plain)];
      if (treatment === 'effective') expect(other.topology).not.toEqual(known.topology);
      else {
        expect(other.topology).toEqual(known.topology);
        const added = textsOf(other.notes).filter((note) => !textsOf(known.notes).includes(note));
        expect(added.join()).toMatch(/^\d+ .*first at t\.xml, line \d+\.$/);
        expect(added.join()).toContain(item === 'pcilink target' ? 'pcilink' : item.split(' ')[1]);
      }
    });
});

describe('an invalid NCCL topology is rejected with its fault and line', () => {
  it.each([
    ['', 'TRUNCATED'],
    ['<system version="1">', 'TRUNCATED'],
    [SERVER.slice(0, 500), 'TRUNCATED'],
    ['<graphs version="1"/>', 'UNKNOWN_TOKEN'],
    ['<system/>', 'MISSING_KEY'],
    ['<system version="1"/>', 'NO_NODES'],
    ['<system version="1"></cpu>', 'XML_SYNTAX'],
    ['<system version=1/>', 'XML_SYNTAX'],
    ['<system version="1" version="1"/>', 'XML_SYNTAX'],
    ['<!DOCTYPE system [<!ENTITY a "b">]><system version="1"/>', 'XML_SYNTAX'],
    ['<system version="&a;"/>', 'XML_SYNTAX'],
    ['<system version="1"><![CDATA[x]]></system>', 'XML_SYNTAX'],
    ['<system version="1">text</system>', 'XML_SYNTAX'],
    ['<system version="1"/>more', 'XML_SYNTAX'],
    ['<system version="1"><!-- never ends', 'TRUNCATED'],
    [
      `<system version="1">${Array.from({ length: 5000 }, (_, cpu) => `<cpu numaid="${cpu}"/>`).join('')}</system>`,
      'TOO_LARGE',
    ],
    ['<system version="1"><gpu/></system>', 'UNKNOWN_TOKEN'],
    [within('cpu', 'colour="red"'), 'UNKNOWN_TOKEN'],
    [replacing('link_width="16"', 'link_width="wide"'), 'XML_SYNTAX'],
    [replacing('busid="0000:02:00.0"', 'busid="0000:01:00.0"'), 'DUPLICATE_NODE'],
    [SERVER.replace('</gpu>', '</gpu><gpu dev="0" sm="90" rank="7"/>'), 'BAD_COUNT'],
    [`<a>${'<a>'.repeat(70)}`, 'XML_SYNTAX'],
  ])('%#', async (text, fault) => {
    const { code, fault: got, where } = await asyncRejectionOf(read(text));
    expect([code, got, where?.startsWith('t.xml')]).toEqual(['invalid-workload', fault, true]);
  });

  it('and for several servers without NICs, and for a single GPU', async () => {
    expect((await asyncRejectionOf(read(SERVER.replace(/<pci[^>]*class="0x020700"[^]*?<\/pci>/g, ''), { servers: 2 })))
      .fault).toBe('NO_NODES');
    const gpu = SERVER.replace(/<pci[^>]*class="0x030200"[^]*?<\/pci>\s*/g,
      (all) => (all.includes('rank="0"') ? all : ''));
    expect((await asyncRejectionOf(read(gpu))).fault).toBe('BAD_COUNT');
    expect((await read(gpu, { servers: 2 })).hosts).toBe(2);
  });
});

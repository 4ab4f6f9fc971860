/**
 * Every element and attribute of NCCL's topology files (NVIDIA/nccl, src/graph/topo.cc and xml.cc;
 * docs/specs/workloads.md, 4.6), and how it is treated. The reader counts those that are `noted`, and rejects unknown
 * ones.
 */
import type { FormatItem, FormatTable } from '../format-table.js';

const DESCRIBES = 'Describes the hardware, and changes no rate';
const of = (part: string, treatment: FormatItem['treatment'], meaning: string,
  ...names: readonly string[]): FormatItem[] => names.map((name) => ({ part, name, treatment, meaning }));

/** Table of NCCL's topology files. */
export const NCCL_XML_FORMAT: FormatTable = {
  format: 'nccl-xml',
  title: 'Topology XML of NCCL (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE)',
  owner: 'NCCL',
  items: [
    ...of('system', 'effective', 'Must be 1', 'version'),
    ...of('system', 'noted', DESCRIBES, 'name'),
    ...of('cpu', 'effective', 'Name of the node', 'numaid'),
    ...of('cpu', 'effective', 'Server of the CPU, where a file has several', 'host_hash'),
    ...of('cpu', 'effective', 'With the others of these the rate between CPUs', 'arch', 'vendor', 'familyid',
      'modelid'),
    ...of('cpu', 'noted', DESCRIBES, 'affinity', 'affinity_offset'),
    ...of('pci', 'effective', 'Name of the node, and the target of NVLinks', 'busid'),
    ...of('pci', 'effective', 'GPU, NIC or switch, where no element within says so', 'class'),
    ...of('pci', 'effective', 'With the other one the rate of its link', 'link_speed', 'link_width'),
    ...of('pci', 'noted', DESCRIBES, 'vendor', 'device', 'subsystem_vendor', 'subsystem_device', 'keep'),
    ...of('pcilink', 'noted', 'A link between PCI switches; its packets take the tree', 'target'),
    ...of('gpu', 'effective', 'Rate of an NVLink', 'sm'),
    ...of('gpu', 'effective', 'Order of hosts, if all GPUs have one', 'rank'),
    ...of('gpu', 'noted', 'Not used', 'dev', 'gdr', 'keep'),
    ...of('gpu', 'rejected', 'Parts of GPUs are not supported', 'mlopart'),
    ...of('nvlink', 'effective', 'NVSwitch, GPU or CPU at its other end', 'target', 'tclass'),
    ...of('nvlink', 'effective', 'Number of links', 'count'),
    ...of('c2c', 'effective', 'Link to the CPU: count times bw, in MB/s', 'count', 'bw'),
    ...of('net', 'effective', 'Without it a network interface is not used', 'dev'),
    ...of('net', 'effective', 'Mb/s', 'speed'),
    ...of('net', 'effective', 'Delay of the link to the network, us, if it is above 0', 'latency'),
    ...of('net', 'effective', '0: part of another one, and not used', 'net'),
    ...of('net', 'noted', 'Not used', 'name', 'port', 'guid', 'maxconn', 'gdr', 'coll', 'keep', 'rail', 'plane'),
    ...of('net', 'noted', 'The same device for other libraries', 'gin', 'rma'),
    ...of('element', 'noted', 'The same device once more, for another library', 'gin', 'rma'),
  ],
};

/** Returns the attributes of an element. */
export function attributesOf(element: string): ReadonlyMap<string, FormatItem> {
  return new Map(NCCL_XML_FORMAT.items.filter(({ part }) => part === element).map((one) => [one.name, one]));
}

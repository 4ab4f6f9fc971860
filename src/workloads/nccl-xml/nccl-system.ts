/**
 * Reads an NCCL topology file into nodes and links: GPUs, PCI switches, CPUs, NICs, one NVSwitch. As in NCCL, rates of
 * several NVLinks between the same two nodes add up.
 *
 *   cpu ─ pci (switch) ─ pci (GPU) ─ nvlink ─ NVSwitch, GPU or CPU
 *                      └ pci (NIC) ─ net: a port to the network
 */
import { NS_PER_US } from '../../units.js';
import type { LeftOut } from '../notes.js';
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';
import { ElementValues, type Where, type XmlElement } from './xml-reader.js';
import { interCpuGbps, isPcieSpeed, nvlinkGbps, pcieGbps, RATE_MAX_GBPS } from './nccl-rates.js';

/** A node; its label is the part of its name after the server number. */
export interface SystemNode {
  readonly kind: 'gpu' | 'pci' | 'cpu' | 'nic' | 'nvs';
  readonly label: string;
  /** Rank and compute capability of a GPU, if stated. */
  readonly rank?: number | undefined;
  readonly sm?: number | undefined;
  /** Index of the server within the file. */
  readonly host: number;
}

/** A link between two nodes. */
export interface SystemLink {
  readonly from: SystemNode;
  readonly to: SystemNode;
  rateGbps: number;
  readonly medium: 'nvlink' | 'pcie';
}

/** A port of a NIC. */
export interface SystemPort {
  readonly nic: SystemNode;
  readonly rateGbps: number;
  /** Delay as stated; 0 if it is not. */
  readonly delayNs: number;
}

/** Contents of a file. */
export interface NcclSystem {
  readonly nodes: readonly SystemNode[];
  readonly links: readonly SystemLink[];
  readonly ports: readonly SystemPort[];
}

type PciType = 'gpu' | 'nic' | 'pci' | 'nvs' | 'cpu';
/** Prefixes of PCI device classes; all other devices are switches. */
const CLASSES: readonly (readonly [string, PciType])[] = [
  ['0x060400', 'pci'],
  ['0x080100', 'pci'],
  ['0x068000', 'nvs'],
  ['0x068001', 'cpu'],
  ['0x03', 'gpu'],
  ['0x02', 'nic'],
];
/** Speed of a network interface that does not state one, as in NCCL. */
const SPEED_UNKNOWN_MBPS = 10_000;
/** Maximum number of devices, more than any server has, because paths between all GPUs are listed. */
const NODES_MAX = 4096;
const GBPS_PER_GBYTE = 8;
const MBYTES_PER_GBYTE = 1000;

interface PlacedElement {
  readonly element: XmlElement;
  readonly node: SystemNode;
  readonly cpu: SystemNode;
}

/** Converts the elements to nodes. */
export class SystemReader {
  readonly #where: Where;
  readonly #left: LeftOut;
  readonly #nodes: SystemNode[] = [];
  readonly #links: SystemLink[] = [];
  readonly #ports: SystemPort[] = [];
  readonly #hosts: string[] = [];
  readonly #cpuRates = new Map<SystemNode, number>();
  /** Devices by host and bus id. */
  readonly #devices = new Map<string, SystemNode>();
  readonly #gpus: PlacedElement[] = [];

  constructor(where: Where, left: LeftOut) {
    this.#where = where;
    this.#left = left;
  }

  read(system: XmlElement): NcclSystem {
    for (const cpu of system.children) if (this.#isNamed(cpu, 'cpu')) this.#addCpu(cpu);
    for (const gpu of this.#gpus) this.#addGpuLinks(gpu);
    this.#joinCpus();
    return { nodes: this.#nodes, links: this.#links, ports: this.#ports };
  }

  #addCpu(element: XmlElement): void {
    const values = this.#valuesOf(element);
    const host = this.#hostOf(values.text('host_hash', '0x0'));
    const node = this.#add({ kind: 'cpu', label: String(values.whole('numaid')), host }, element);
    this.#cpuRates.set(node, interCpuGbps({
      arch: values.text('arch', ''),
      vendor: values.text('vendor', ''),
      family: values.whole('familyid', 0),
      model: values.whole('modelid', 0),
    }));
    let nics = 0;
    for (const child of element.children) {
      if (child.name === 'nic') {
        this.#left.add('nic-outside-pci', this.#where(child), 1, { rateGbps: RATE_MAX_GBPS });
        this.#addNic(child, { parent: node, label: `${node.label}-${nics++}`, rateGbps: RATE_MAX_GBPS });
      } else if (this.#isNamed(child, 'pci')) this.#addPci(child, node, node);
    }
  }

  #hostOf(hash: string): number {
    const known = this.#hosts.indexOf(hash);
    return known < 0 ? this.#hosts.push(hash) - 1 : known;
  }

  #addPci(element: XmlElement, parent: SystemNode, cpu: SystemNode): void {
    const values = this.#valuesOf(element);
    const rateGbps = this.#pcieGbps(values, element);
    const label = values.text('busid').toLowerCase().replaceAll(':', '-');
    const type = this.#typeOf(element, values.text('class'));
    if (type === 'nvs' || type === 'cpu') {
      this.#left.add('devices-named-by-nvlinks', this.#where(element), 1);
      return;
    }
    if (type === 'nic') {
      this.#addDeviceNic(element, { parent, label, rateGbps });
      return;
    }
    const gpu = element.children.find(({ name }) => name === 'gpu');
    const node = this.#add({ kind: type, label, host: parent.host, ...(gpu === undefined ? {} : this.#gpuValues(gpu)) },
      element);
    this.#devices.set(`${parent.host} ${label}`, node);
    this.#join(node, parent, rateGbps, 'pcie');
    if (type === 'gpu') this.#keepGpu(element, node, cpu);
    else this.#addBelow(element, node, cpu);
  }

  #addBelow(element: XmlElement, node: SystemNode, cpu: SystemNode): void {
    for (const child of element.children) {
      if (child.name === 'pcilink') {
        this.#valuesOf(child);
        this.#left.add('pci-switch-links', this.#where(child), 1);
      } else if (this.#isNamed(child, 'pci')) this.#addPci(child, node, cpu);
    }
  }

  #keepGpu(element: XmlElement, node: SystemNode, cpu: SystemNode): void {
    const gpus = element.children.filter((child) => this.#isNamed(child, 'gpu'));
    if (gpus.length > 1) this.#reject('BAD_COUNT', 'the number of ranks on a GPU', gpus.length, 'one', gpus[1]);
    if (gpus.length === 0) this.#left.add('gpus-without-nvlinks', this.#where(element), 1);
    else this.#gpus.push({ element: gpus[0], node, cpu });
  }

  #gpuValues(element: XmlElement): Pick<SystemNode, 'rank' | 'sm'> {
    const values = this.#valuesOf(element);
    if (element.attributes.has('mlopart'))
      this.#reject('UNKNOWN_TOKEN', 'the attribute', 'mlopart', 'whole GPUs', element);
    const rank = values.whole('rank', -1);
    return { sm: values.whole('sm', 0), ...(rank < 0 ? {} : { rank }) };
  }

  #typeOf(element: XmlElement, deviceClass: string): PciType {
    if (element.children.some(({ name }) => name === 'gpu')) return 'gpu';
    if (element.children.some(({ name }) => name === 'nic')) return 'nic';
    return CLASSES.find(([start]) => deviceClass.startsWith(start))?.[1] ?? 'pci';
  }

  #pcieGbps(values: ElementValues, element: XmlElement): number {
    const speed = values.text('link_speed', '');
    if (!isPcieSpeed(speed))
      this.#left.add('unknown-link-speeds', this.#where(element), 1);
    return pcieGbps(speed, values.whole('link_width', 0));
  }

  /** Ports of one device have bus ids that differ only in the function number. */
  #addDeviceNic(element: XmlElement, { parent, label, rateGbps }: NicPlace): void {
    const device = label.replace(/\.[\da-f]$/, '');
    const place = { parent, label: device, rateGbps };
    const nics = element.children.filter((child) => this.#isNamed(child, 'nic'));
    for (const nic of nics) this.#addNic(nic, place);
    if (nics.length > 0) return;
    this.#left.add('nics-without-ports', this.#where(element), 1);
    this.#ports.push({ nic: this.#nicOf(element, place), rateGbps, delayNs: 0 });
  }

  #addNic(element: XmlElement, place: NicPlace): void {
    this.#valuesOf(element);
    const node = this.#nicOf(element, place);
    for (const child of element.children) {
      const values = this.#valuesOf(child);
      if (child.name === 'gin' || child.name === 'rma') {
        this.#left.add('repeated-devices', this.#where(child), 1, { element: child.name });
      } else if (this.#isNamed(child, 'net')) this.#addPort(child, values, node);
    }
  }

  #addPort(element: XmlElement, values: ElementValues, nic: SystemNode): void {
    if (!element.attributes.has('dev') || values.whole('net', 1) === 0) {
      this.#left.add('unused-interfaces', this.#where(element), 1);
      return;
    }
    const speed = values.number('speed', 0);
    if (speed <= 0)
      this.#left.add('interfaces-without-speed', this.#where(element), 1);
    const mbps = speed <= 0 ? SPEED_UNKNOWN_MBPS : speed;
    this.#ports.push({
      nic,
      rateGbps: Math.min(RATE_MAX_GBPS, mbps / 1000),
      delayNs: values.number('latency', 0) * NS_PER_US,
    });
  }

  #nicOf(element: XmlElement, { parent, label, rateGbps }: NicPlace): SystemNode {
    const known = this.#devices.get(`${parent.host} nic ${label}`);
    if (known !== undefined) return known;
    const node = this.#add({ kind: 'nic', label, host: parent.host }, element);
    this.#devices.set(`${parent.host} nic ${label}`, node);
    this.#join(node, parent, rateGbps, 'pcie');
    return node;
  }

  #addGpuLinks({ element, node, cpu }: PlacedElement): void {
    for (const child of element.children) {
      const values = this.#valuesOf(child);
      if (child.name === 'c2c') this.#addC2c(child, values, { element, node, cpu });
      else if (this.#isNamed(child, 'nvlink')) this.#addNvlink(child, values, { element, node, cpu });
    }
  }

  /** A C2C link replaces a PCIe link to the same CPU, because packets could take either one. */
  #addC2c(element: XmlElement, values: ElementValues, { node, cpu }: PlacedElement): void {
    const rateGbps = (values.number('bw') * values.whole('count') * GBPS_PER_GBYTE) / MBYTES_PER_GBYTE;
    const known = this.#links.find(({ from, to, medium }) => from === node && to === cpu && medium === 'pcie');
    if (known === undefined) this.#join(node, cpu, rateGbps, 'pcie');
    else {
      known.rateGbps = Math.max(known.rateGbps, rateGbps);
      this.#left.add('c2c-and-pcie', this.#where(element), 1);
    }
  }

  #addNvlink(element: XmlElement, values: ElementValues, { node, cpu }: PlacedElement): void {
    const rateGbps = values.whole('count') * nvlinkGbps(node.sm);
    const targetClass = values.text('tclass');
    const type = CLASSES.find(([start]) => targetClass.startsWith(start))?.[1] ?? 'pci';
    const target = values.text('target').toLowerCase().replaceAll(':', '-');
    if (type === 'gpu') this.#joinGpus(element, node, target, rateGbps);
    else this.#join(node, type === 'cpu' ? cpu : this.#nvSwitch(element), rateGbps, 'nvlink', true);
  }

  /** Both GPUs state the link; only that of the first is used. */
  #joinGpus(element: XmlElement, node: SystemNode, target: string, rateGbps: number): void {
    const peer = this.#devices.get(`${node.host} ${target}`);
    if (peer === undefined) {
      this.#left.add('nvlinks-to-missing-gpus', this.#where(element), 1);
      return;
    }
    const back = this.#links.find(({ from, to, medium }) => medium === 'nvlink' && from === peer && to === node);
    if (back === undefined) this.#join(node, peer, rateGbps, 'nvlink', true);
    else if (Math.abs(back.rateGbps - rateGbps) > 1e-6) {
      this.#left.add('unequal-nvlinks', this.#where(element), 1);
    }
  }

  #nvSwitch(element: XmlElement): SystemNode {
    return this.#nodes.find(({ kind }) => kind === 'nvs') ?? this.#add({ kind: 'nvs', label: '', host: 0 }, element);
  }

  #joinCpus(): void {
    const cpus = [...this.#cpuRates];
    cpus.forEach(([from, rateGbps], index) => {
      for (const [to] of cpus.slice(index + 1)) if (from.host === to.host) this.#join(from, to, rateGbps, 'pcie');
    });
  }

  #add(node: SystemNode, element: XmlElement): SystemNode {
    if (this.#nodes.some(({ kind, label, host }) => kind === node.kind && label === node.label && host === node.host))
      this.#reject('DUPLICATE_NODE', 'the device', node.label, 'each device once', element);
    if (this.#nodes.length === NODES_MAX)
      this.#reject('TOO_LARGE', 'the number of devices', NODES_MAX + 1, `at most ${NODES_MAX}`, element);
    this.#nodes.push(node);
    return node;
  }

  /** @param isAdded whether further links between the same two nodes add to its rate. */
  #join(from: SystemNode, to: SystemNode, rateGbps: number, medium: SystemLink['medium'], isAdded = false): void {
    if (!(rateGbps > 0)) return;
    const known = isAdded ?
      this.#links.find((link) => link.from === from && link.to === to && link.medium === medium) :
      undefined;
    if (known === undefined || medium === 'pcie') this.#links.push({ from, to, rateGbps, medium });
    else known.rateGbps += rateGbps;
  }

  #isNamed(element: XmlElement, name: string): boolean {
    if (element.name === name) return true;
    return this.#reject('UNKNOWN_TOKEN', 'the element', element.name, name, element);
  }

  #valuesOf(element: XmlElement): ElementValues {
    return new ElementValues(element, this.#where, this.#left);
  }

  #reject(fault: WorkloadFault, what: string, got: unknown, allowed: string, element: XmlElement): never {
    return rejectWorkload(fault, { what, got, allowed, where: this.#where(element) });
  }
}

interface NicPlace {
  readonly parent: SystemNode;
  readonly label: string;
  readonly rateGbps: number;
}

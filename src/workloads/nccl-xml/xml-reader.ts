/**
 * Reads the subset of XML that NCCL writes: a declaration, comments, elements with attributes. Anything else (document
 * types, entities other than the five of XML, CDATA, text) is rejected, so that a file cannot expand.
 *
 * The table at the end has every element and attribute of NCCL's topology files (NVIDIA/nccl, src/graph/topo.cc and
 * xml.cc; docs/specs/workloads.md, 4.6), and how it is treated: the reader counts those that are `noted`, and rejects
 * unknown ones.
 */
import type { FormatItem, FormatTable } from '../job-formats.js';
import type { LeftOut } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';

/** An XML element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Line number, from 1. */
  readonly line: number;
}

const ELEMENTS_MAX = 16_384;
const DEPTH_MAX = 64;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const SPACE = /\s*/y;
const [COMMENT, COMMENT_END] = ['<!--', '-->'];
const DECLARATION = /<\?xml\s[^<>?]*\?>/y;
const CLOSING = /<\/([\w.-]+)\s*>/y;
const OPENING = /<([\w.-]+)/y;
const ATTRIBUTE = /\s+([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END = /\s*(\/?)>/y;

/** @throws RoceError `invalid-workload`, `XML_SYNTAX`, with the line. */
export function readXml(text: string, name: string): XmlElement {
  return new XmlReader(text.replace(/^\uFEFF/, ''), name).read();
}

class XmlReader {
  readonly #text: string;
  readonly #name: string;
  #at = 0;
  #count = 0;
  #counted = 0;
  #line = 1;

  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
  }

  read(): XmlElement {
    this.#take(SPACE);
    this.#take(DECLARATION);
    this.#skip();
    const open: XmlElement[] = [];
    let root: XmlElement | undefined;
    while (root === undefined || open.length > 0) {
      const closing = this.#take(CLOSING);
      if (closing === undefined) {
        const [element, isEmpty] = this.#element();
        open[open.length - 1]?.children.push(element);
        root ??= element;
        if (!isEmpty) open.push(element);
        if (open.length > DEPTH_MAX) this.#reject('the depth of elements', open.length, `at most ${DEPTH_MAX}`);
      } else if (open.pop()?.name !== closing[1])
        this.#reject('the end tag', closing[1], 'the end tag of the open element');
      this.#skip();
    }
    if (this.#at < this.#text.length) this.#reject('the text after the root element', this.#here(), 'none');
    return root;
  }

  #element(): [XmlElement, boolean] {
    const opening = this.#take(OPENING);
    if (opening === undefined) this.#rejectHere('the text', 'an element such as <system version="1">, or a comment');
    if (++this.#count > ELEMENTS_MAX) this.#reject('the number of elements', this.#count, `at most ${ELEMENTS_MAX}`);
    const attributes = new Map<string, string>();
    const line = this.#lineHere();
    for (let found = this.#take(ATTRIBUTE); found !== undefined; found = this.#take(ATTRIBUTE)) {
      const [, key] = found;
      if (attributes.has(key)) this.#reject('the attribute', key, 'each attribute once');
      attributes.set(key, this.#plain((found[2]) ?? found[3]));
    }
    const end = this.#take(END);
    if (end === undefined) this.#rejectHere('the tag', 'attributes in quotes, then > or />');
    return [{ name: opening[1], attributes, children: [], line }, end[1] === '/'];
  }

  /** Line of the text consumed last. */
  #lineHere(): number {
    for (; this.#counted < this.#at; this.#counted++) if (this.#text[this.#counted] === '\n') this.#line++;
    return this.#line;
  }

  #plain(value: string): string {
    return value.replace(/&([^;&]*);?/g, (all, entity: string) =>
      Object.hasOwn(ENTITIES, entity) && all.endsWith(';') ?
        ENTITIES[entity] :
        this.#reject('the entity', all, '&lt; &gt; &amp; &quot; &apos;'));
  }

  /** Skips white space and comments. */
  #skip(): void {
    this.#take(SPACE);
    while (this.#text.startsWith(COMMENT, this.#at)) {
      const end = this.#text.indexOf(COMMENT_END, this.#at + COMMENT.length);
      if (end < 0) this.#rejectTruncated();
      this.#at = end + COMMENT_END.length;
      this.#take(SPACE);
    }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #here(): string {
    return this.#text.slice(this.#at, this.#at + 24).split('\n')[0];
  }

  /** Rejects the text at this position, or the whole file if it ends here. */
  #rejectHere(what: string, allowed: string): never {
    if (this.#text.includes('>', this.#at)) this.#reject(what, this.#here(), allowed);
    return this.#rejectTruncated();
  }

  #rejectTruncated(): never {
    const where = `${this.#name}, line ${this.#lineHere()}`;
    return rejectWorkload('TRUNCATED', { what: 'the XML', problem: 'ends within an element or a comment', where });
  }

  #reject(what: string, got: unknown, allowed: string): never {
    return rejectWorkload('XML_SYNTAX', { what, got, allowed, where: `${this.#name}, line ${this.#lineHere()}` });
  }
}

/** Describes the file and line of an element. */
export type Where = (element: XmlElement) => string;

const WHOLE_MAX = 2 ** 31;

/** Attributes of one element: validates used ones, counts unused ones, and rejects unknown ones. */
export class ElementValues {
  readonly #element: XmlElement;
  readonly #where: Where;

  constructor(element: XmlElement, where: Where, left: LeftOut) {
    this.#element = element;
    this.#where = where;
    const known = attributesOf(element.name);
    // Elements for other libraries repeat the attributes of net.
    if (element.name === 'gin' || element.name === 'rma') return;
    for (const key of element.attributes.keys()) {
      const item = known.get(key);
      if (item === undefined) this.#rejectAttribute(key, [...known.keys()]);
      if (item.treatment === 'noted')
        left.add('attribute-without-effect', where(element), 1, { element: element.name, attribute: key });
    }
  }

  text(key: string, missing?: string): string {
    const value = this.#element.attributes.get(key) ?? missing;
    if (value !== undefined) return value;
    const what = `the attribute ${key} of ${this.#element.name}`;
    return rejectWorkload('MISSING_KEY', { what, problem: 'is missing', where: this.#where(this.#element) });
  }

  /** Reads a whole number; -1 means none. */
  whole(key: string, missing?: number): number {
    const value = this.number(key, missing);
    return Number.isInteger(value) ? value : this.#rejectValue(key, 'a whole number');
  }

  number(key: string, missing?: number): number {
    const text = this.text(key, missing === undefined ? undefined : String(missing));
    const isNumber = /^(?:-?\d{1,10}(?:\.\d{1,10})?|0x[\da-f]{1,8})$/i.test(text);
    const value = isNumber ? Number(text) : NaN;
    return value >= -1 && value <= WHOLE_MAX ? value : this.#rejectValue(key, 'a number');
  }

  #rejectValue(key: string, allowed: string): never {
    const what = `the attribute ${key} of ${this.#element.name}`;
    const got = this.#element.attributes.get(key);
    return rejectWorkload('XML_SYNTAX', { what, got, allowed, where: this.#where(this.#element) });
  }

  #rejectAttribute(key: string, allowed: readonly string[]): never {
    const what = `the attribute of ${this.#element.name}`;
    return rejectWorkload('UNKNOWN_TOKEN', { what, got: key, allowed, where: this.#where(this.#element) });
  }
}

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
function attributesOf(element: string): ReadonlyMap<string, FormatItem> {
  return new Map(NCCL_XML_FORMAT.items.filter(({ part }) => part === element).map((one) => [one.name, one]));
}

/** What is used of a WebAssembly.Table, whose type not all users have. */
export interface FunctionTable {
  readonly length: number;
  grow(delta: number): number;
  set(index: number, value: unknown): void;
}

/**
 * The exports of engine.wasm, and equally of the `js` backend: numbers in, numbers out.
 *
 * Times are f64 picoseconds, rates f64 bits per second, QPs and endpoints small integers, addresses byte offsets into
 * `memory.buffer`. Record layouts: src/abi/layout.ts. Codes: src/abi/codes.ts.
 */
export interface EngineAbi {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The table of functions, to which those of custom algorithms are added; engines of DCQCN alone export none. */
  readonly table?: FunctionTable;

  /** Lays memory out for the capacity stated at CAPACITY_ADDRESS; 0 when the memory can't be had. Before all else. */
  initialise(): number;
  /** Takes over what the host wrote at SETTINGS_ADDRESS and HASH_KEYS_ADDRESS. */
  configure(): void;
  /** After memory was overwritten from a snapshot: 0 = no state that can be gone on with. How many of each there are. */
  restored(parameterSets: number, endpoints: number): number;

  /** Enters the flow entry at ADDRESS_ARGUMENT, of a smaller engine; the records of its QP are in place. */
  readmit?(): void;
  /** Endpoint gets the address at ADDRESS_ARGUMENT; 0 = taken or full. */
  addAddress(endpoint: number): number;
  /** Takes back the address at ADDRESS_ARGUMENT, the one added last. */
  removeAddress(): void;
  /** A QP to the peer at ADDRESS_ARGUMENT: its number (unsigned) or OPEN_*. */
  openQp(endpoint: number, localQpn: number, peerQpn: number, parameterSet: number): number;
  /** Closes an open QP. */
  closeQp(qp: number): void;

  /** Puts peer address, endpoint and local QPN of an open QP at ADDRESS_ARGUMENT; returns the peer QPN. */
  describeQp(qp: number): number;

  /** Applies n events of the event region; returns the number of actions. */
  applyEvents(n: number): number;
  /** Applies n frames of the descriptor region; returns the number of actions. */
  applyPackets(n: number): number;
  /** Applies what is due up to and including timePs; returns the QP to continue from, or NONE (unsigned). */
  advance(timePs: number, from: number): number;
  /** Actions of the last call. */
  actionsWritten(): number;
  /** Trace records of the last call, and those that found no room; engines without a trace have neither. */
  traceWritten?(): number;
  traceLost?(): number;
  /** When the rate of this open QP can next change without an event, ps; Infinity = not. */
  nextDeadline(qp: number): number;

  /**
   * One event of a kind EVENT_*; outcome code. `qp` and `value` as in the event region: the endpoint and a record of a Fast CNP, the record of
   * an ACK, NACK or credit, LOSS_* of a loss.
   */
  applyEvent(kind: number, qp: number, timePs: number, value: number): number;
  /** 1: window or credit let this open QP send another packet; engines of DCQCN alone have neither. */
  maySend?(qp: number, inFlightBytes: number): number;
  /** Pull number that this open QP asks its receiver for; NaN: its algorithm has no credit. */
  pullTarget?(qp: number, backlogBytes: number, senders: number): number;

  /** QP of (endpoint, address at ADDRESS_ARGUMENT, peer QPN), or NONE (unsigned). */
  findFlow(endpoint: number, peerQpn: number): number;
  /** QP of (endpoint, local QPN), or NONE (unsigned). */
  findLocal(endpoint: number, localQpn: number): number;
  /** Groups that a lookup of the flow (endpoint, address at ADDRESS_ARGUMENT, peer QPN) looks at. */
  flowProbes(endpoint: number, peerQpn: number): number;

  /** Makes the state of this QP readable in linear memory; returns the address of its QpState record. */
  stateAddress(qp: number): number;
}

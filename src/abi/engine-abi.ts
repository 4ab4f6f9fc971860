/** The used part of WebAssembly.Table, whose type is not available to all users. */
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
  /** The function table, to which custom algorithms are added; absent in engines with DCQCN only. */
  readonly table?: FunctionTable;

  /**
   * Lays out memory for the capacity at CAPACITY_ADDRESS; must be called first. Returns 0 if there is not enough
   * memory.
   */
  initialise(): number;
  /** Applies the settings that the host wrote at SETTINGS_ADDRESS and HASH_KEYS_ADDRESS. */
  configure(): void;
  /**
   * Call it after memory was overwritten from a snapshot, with the numbers of parameter sets and endpoints; 0 = invalid
   * state.
   */
  restored(parameterSets: number, endpoints: number): number;

  /**
   * Adds the flow entry at ADDRESS_ARGUMENT, from the state of a smaller engine; the records of its QP must be in
   * place.
   */
  readmit?(): void;
  /** Adds the address at ADDRESS_ARGUMENT to an endpoint; 0 = in use or full. */
  addAddress(endpoint: number): number;
  /** Removes the address at ADDRESS_ARGUMENT, which must be the last one added. */
  removeAddress(): void;
  /** Opens a QP to the peer at ADDRESS_ARGUMENT; returns its number (unsigned) or OPEN_*. */
  openQp(endpoint: number, localQpn: number, peerQpn: number, parameterSet: number): number;
  /** Closes an open QP. */
  closeQp(qp: number): void;

  /** Writes peer address, endpoint and local QPN of an open QP to ADDRESS_ARGUMENT; returns the peer QPN. */
  describeQp(qp: number): number;

  /** Applies n events of the event region; returns the number of actions. */
  applyEvents(n: number): number;
  /** Applies n frames of the descriptor region; returns the number of actions. */
  applyPackets(n: number): number;
  /** Applies everything due up to and including timePs; returns the QP to continue from, or NONE (unsigned). */
  advance(timePs: number, from: number): number;
  /** Number of actions of the last call. */
  actionsWritten(): number;
  /** Number of trace records of the last call, and how many did not fit; absent in engines without a trace. */
  traceWritten?(): number;
  traceLost?(): number;
  /** When the rate of this open QP can next change without an event, ps; Infinity = never. */
  nextDeadline(qp: number): number;

  /**
   * Applies one event of a kind EVENT_*; returns its outcome code. `qp` and `value` are as in the event region:
   * endpoint and record for a Fast CNP, the record for an ACK, NACK or credit, LOSS_* for a loss.
   */
  applyEvent(kind: number, qp: number, timePs: number, value: number): number;
  /** 1 if window or credit let this open QP send another packet; absent in engines with DCQCN only. */
  maySend?(qp: number, inFlightBytes: number): number;
  /** Pull number that this open QP requests from its receiver; NaN if its algorithm has no credit. */
  pullTarget?(qp: number, backlogBytes: number, senders: number): number;

  /** QP of (endpoint, address at ADDRESS_ARGUMENT, peer QPN), or NONE (unsigned). */
  findFlow(endpoint: number, peerQpn: number): number;
  /** QP of (endpoint, local QPN), or NONE (unsigned). */
  findLocal(endpoint: number, localQpn: number): number;
  /** Number of groups that a lookup of the flow (endpoint, address at ADDRESS_ARGUMENT, peer QPN) probes. */
  flowProbes(endpoint: number, peerQpn: number): number;

  /** Makes the state of this QP readable in linear memory; returns the address of its QpState record. */
  stateAddress(qp: number): number;
}

/** The backend of an engine: its exports, and how to save and load their state. */
export interface Backend {
  /** The calls of the engine. */
  readonly abi: EngineAbi;
  /** Identifies the code that interprets saved state: snapshots of another build are rejected. */
  readonly build: string;
  /** All state, as bytes. */
  save(): Uint8Array;
  /**
   * Loads state saved by the same build with the same configuration. The engine that saved it may have had smaller
   * capacities, which the state contains: QPs and endpoints keep their numbers.
   *
   * @param parameterSets number of parameter sets; `endpoints`: number of endpoints.
   * @returns false, with nothing changed, for a state that the engine cannot use.
   */
  load(state: Uint8Array, parameterSets: number, endpoints: number): boolean;
}

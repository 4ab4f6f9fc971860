/** HPCC's parameters and state as hpcc.json declares them. */
import { EXACT_HOPS_MAX, INT64_HOPS_MAX, Qp } from 'roce-cc/algorithm/as';

// Words of hpcc.json by their place there; the others are 0.
export const WHOLE_BPS: f64 = 1;
export const BY_RATE: f64 = 1;
export const WINDOW_NONE: f64 = 0;
export const WINDOW_VARIABLE: f64 = 2;
export const EWMA_CONSTANT: f64 = 1;
export const RECORDS_EXACT: f64 = 0;
export const PATH_RESET: f64 = 0;
export const SKIP_HOP: f64 = 0;

/** As in hpcc.json. */
@unmanaged
export class Parameters {
  numbers: f64;
  primary: f64;
  minRateBps: f64;
  baseRttPs: f64;
  windowBytes: f64;
  windowMode: f64;
  targetUtilization: f64;
  maxStage: f64;
  aiRateBps: f64;
  aiWindowBytes: f64;
  fastReact: f64;
  multiRate: f64;
  sampleFeedback: f64;
  ewma: f64;
  ewmaBeta: f64;
  records: f64;
  intMultiplier: f64;
  pathChange: f64;
  repeatedTimestamp: f64;
}

/** The lists of hops follow: KeptHop. */
@unmanaged
export class State {
  committed: f64;
  utilization: f64;
  stage: f64;
  isStarted: f64;
  lastUpdateSeq: f64;
  pathId: f64;
  hopCount: f64;
  // What depends on the parameters only.
  baseRttNs: f64;
  minimum: f64;
  maximum: f64;
  increment: f64;
}

/** What is kept of one hop: a field of each list, EXACT_HOPS_MAX apart. The last three are for multiRate. */
@unmanaged
export class KeptHop {
  @inline get time(): f64 {
    return load<f64>(changetype<usize>(this), 0);
  }

  @inline get txBytes(): f64 {
    return load<f64>(changetype<usize>(this), 128);
  }

  @inline get queue(): f64 {
    return load<f64>(changetype<usize>(this), 256);
  }

  @inline get hopId(): f64 {
    return load<f64>(changetype<usize>(this), 384);
  }

  @inline set hopId(value: f64) {
    store<f64>(changetype<usize>(this), value, 384);
  }

  @inline get utilization(): f64 {
    return load<f64>(changetype<usize>(this), 512);
  }

  @inline get committed(): f64 {
    return load<f64>(changetype<usize>(this), 640);
  }

  @inline get stage(): f64 {
    return load<f64>(changetype<usize>(this), 768);
  }

  /** Bytes and picoseconds, or raw units. */
  @inline keep(time: f64, txBytes: f64, queue: f64): void {
    store<f64>(changetype<usize>(this), time, 0);
    store<f64>(changetype<usize>(this), txBytes, 128);
    store<f64>(changetype<usize>(this), queue, 256);
  }

  @inline setStep(utilization: f64, committed: f64, stage: f64): void {
    store<f64>(changetype<usize>(this), utilization, 512);
    store<f64>(changetype<usize>(this), committed, 640);
    store<f64>(changetype<usize>(this), stage, 768);
  }
}

@inline export function parametersAt(address: usize): Parameters {
  return changetype<Parameters>(address);
}

@inline export function stateOf(qp: Qp): State {
  return changetype<State>(qp.state);
}

@inline export function keptHop(s: State, index: u32): KeptHop {
  return changetype<KeptHop>(changetype<usize>(s) + offsetof<State>() + (<usize>index << 3));
}

@inline export function hopLimit(p: Parameters): u32 {
  return p.records == RECORDS_EXACT ? EXACT_HOPS_MAX : INT64_HOPS_MAX;
}

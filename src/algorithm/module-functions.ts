/** An instance of a custom algorithm's module over the engine's memory, and its handlers as the table takes them. */
import { HANDLER_NAMES, type CustomCode, type HandlerName } from '../config/algorithms/custom/custom-algorithm.js';
import type { Bound } from './bound.js';

/** What a module calls its handlers. */
export const MODULE_EXPORTS: Readonly<Record<HandlerName, string>> = {
  open: 'roce_open',
  sent: 'roce_sent',
  ack: 'roce_ack',
  cnp: 'roce_cnp',
  fastCnp: 'roce_fast_cnp',
  loss: 'roce_loss',
  timer: 'roce_timer',
};

/** Export of a metered module: the rest of a call's budget. */
const FUEL = 'roce_fuel';

/** By HANDLER_*; also notes in `bound` how to tell that a budget is exhausted. */
export function moduleFunctions(abi: { readonly memory: object }, bound: Bound,
  code: Extract<CustomCode, { kind: 'module' }>): readonly CallableFunction[] {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code.bytes), {
    env: { memory: abi.memory as WebAssembly.Memory },
  });
  const fuel = exports[FUEL];
  if (fuel instanceof WebAssembly.Global) bound.isSpent = () => (fuel.value as number) < 0;
  return HANDLER_NAMES.map((name) => exports[MODULE_EXPORTS[name]] as CallableFunction);
}

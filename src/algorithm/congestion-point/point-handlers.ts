/** JavaScript handlers as functions that the kernel calls: numbers in, views moved, result as POINT_* bits. */
import { HANDLER_COUNT } from '../../abi/custom-layout.js';
import { POINT_NOTHING } from '../../abi/custom-point-layout.js';
import type { ParameterValues } from '../../config/algorithms/custom/declaration.js';
import { POINT_HANDLERS, type CustomCongestionPoint, type PointCode } from '../../config/custom-congestion-point.js';
import { watched } from '../call-watch.js';
import type { LinearMemory } from '../linear-memory.js';
import type { RawHandler } from '../trampoline.js';
import { PacketView, PointCall, PortView } from './point-views.js';

type AnyHandler = (port: PortView, packet: PacketView) => unknown;

/**
 * @param record byte address of the call record. @returns the handlers in the order of POINT_HANDLERS; undefined where
 * there is none.
 */
export function rawPointHandlers(custom: CustomCongestionPoint, { handlers }: Extract<PointCode, { kind: 'handlers' }>,
  parameters: ParameterValues, memory: LinearMemory, record: number): readonly (RawHandler | undefined)[] {
  const call = new PointCall(memory, record);
  const port = new PortView(call, custom, parameters);
  const packet = new PacketView(call, custom);
  return POINT_HANDLERS.map((name, number) => {
    const handler = handlers[name] as AnyHandler | undefined;
    if (handler === undefined) return undefined;
    return watched((_record, _parameters, timePs) => {
      memory.refresh();
      call.timePs = timePs;
      call.answer = POINT_NOTHING;
      handler(port, packet);
      return call.answer;
    }, HANDLER_COUNT + number);
  });
}

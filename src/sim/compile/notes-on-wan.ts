/** Notes on a WAN with tunnels: borders that let nothing through, modes that hide congestion, telemetry that ends at the edge. */
import { WAN_DOMAIN } from '../topology/network.js';
import { applying, type NoteContext } from './note-context.js';

export function notesOnWan({ valid: { wan, switches, network }, plan, algorithmsInUse }: NoteContext): string[] {
  if (wan === null || plan.wan === undefined) return [];
  const { domains } = plan.wan;
  const crosses = Array.from({ length: plan.flows.length },
    (_, i) => domains[plan.flows.source[i]] !== domains[plan.flows.destination[i]]).some((flow) => flow);
  if (!crosses) return ['The topology has a WAN with provider edges, and no flow crosses it.'];
  const wanSends = switches.some((own, node) => own?.fastCnp === true && domains[node] === WAN_DOMAIN);
  const modes = wan.compatibilityEdges.map((edge) => network.nodes[edge].name);
  return applying(wanSends && wan.accessLists.length === 0 &&
    'Switches of the WAN generate Fast CNPs, and no access list lets them out: borders drop them (wan.accessLists).',
    modes.length > 0 &&
      `Outer headers of ${
        modes.join(', ')
      } are Not-ECT (compatibility): no node of the WAN marks data that enters there.`,
    (plan.hazards?.lookPs ?? 0) > 0 && wan.services.some(({ via }) => via.length > 1) &&
      'Victims of pauses (record.victims) of services with several routers (via) may be named with another port than theirs.',
    algorithmsInUse.some(({ telemetry }) => telemetry) &&
      'Routers of the WAN read outer headers alone: telemetry has no record of the tunnel behind its entry.');
}

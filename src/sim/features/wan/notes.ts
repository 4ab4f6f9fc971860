/** Notes on a WAN with tunnels: borders that block all Fast CNPs, modes that hide congestion, telemetry that ends at the edge. */
import { applying, note, type Note } from '../../notes/note.js';
import { WAN_DOMAIN } from '../../topology/network.js';
import type { NoteContext } from '../../compile/note-context.js';

export function notesOnWan({ valid: { wan, switches, network }, plan, algorithmsInUse }: NoteContext): Note[] {
  if (wan === null || plan.wan === undefined) return [];
  const { domains } = plan.wan;
  const crosses = Array.from({ length: plan.flows.length },
    (_, i) => domains[plan.flows.source[i]] !== domains[plan.flows.destination[i]]).some((flow) => flow);
  if (!crosses) return [note('wan-unused')];
  const wanSends = switches.some((own, node) => own?.fastCnp === true && domains[node] === WAN_DOMAIN);
  const modes = wan.compatibilityEdges.map((edge) => network.nodes[edge].name);
  return applying(wanSends && wan.accessLists.length === 0 &&
    note('wan-drops-fast-cnps'), modes.length > 0 &&
    note('wan-unmarked', { nodes: modes }),
    (plan.hazards?.lookPs ?? 0) > 0 && wan.services.some(({ via }) => via.length > 1) &&
      note('wan-victim-ports'), algorithmsInUse.some(({ telemetry }) => telemetry) &&
    note('wan-telemetry'));
}

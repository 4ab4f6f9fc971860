/**
 * The setting `reordering` selects a transport by its receiver. It is replaced by `transport`, so that other code reads only
 * that.
 */
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { HostOverrideSpec, Reordering, ScenarioSpec, Transport } from '../../scenario/spec.js';

const TRANSPORT_OF: Readonly<Record<Reordering, Transport>> = {
  none: 'go-back-n',
  'selective-repeat': 'selective-repeat',
  tolerant: 'tolerant',
};

/** The transport that host settings state, as `transport` or as `reordering`. */
export function statedTransport({ transport, reordering }: HostOverrideSpec): Transport | undefined {
  return transport ?? (reordering === undefined ? undefined : TRANSPORT_OF[reordering]);
}

/**
 * Replaces each `reordering` of a scenario by its transport. @throws RoceError `invalid-scenario` if both are set and disagree.
 */
export function withTransports(spec: ScenarioSpec): ScenarioSpec {
  const { hosts, overrides } = spec;
  return {
    ...spec,
    ...(hosts?.reordering === undefined ? {} : { hosts: withTransport(hosts, 'hosts') }),
    ...(overrides?.some(({ host }) => host?.reordering !== undefined) === true ?
      {
        overrides: overrides.map((one, i) =>
          one.host === undefined ? one : { ...one, host: withTransport(one.host, `overrides[${i}].host`) }
        ),
      } :
      {}),
  };
}

function withTransport<Host extends HostOverrideSpec>(host: Host, where: string): Host {
  const { transport, reordering } = host;
  if (reordering === undefined) return host;
  const allowed = TRANSPORT_OF[reordering];
  if (transport === undefined || transport === allowed) return { ...host, transport: allowed };
  return rejectScenario({
    what: `${where}.transport`,
    problem: `contradicts ${where}.reordering ${reordering}`,
    got: transport,
    allowed,
    where: `${where}.transport`,
    hint: 'Leave one of them out',
  });
}

/** The schema of discovery before traffic; the types are in discovery-spec.ts. */
import { DEFAULT_DISCOVERY, PLAIN_ROUTER } from './defaults.js';
import { ABSENT_UNLESS_GIVEN, flag, listOf, name, NODES_MAX, numberAboveZero, optional, record, wholeIn,
  wordOf } from './schema-parts.js';

const TIMEOUT_MAX_US = 1e9;
const PRIORITY_MAX = 7;

const ROUTER = record({
  nodes: listOf(name('Name of a switch.'), 1, NODES_MAX, 'Whose settings.'),
  ...optional({
    responses: wordOf(['always', 'silent', 'unaware'],
      'always; silent: counts as a hop without a reply; unaware: forwards requests as any packet.',
      PLAIN_ROUTER.responses),
    dropsReplies: flag('Does an access list drop the replies of other nodes that pass here?',
      PLAIN_ROUTER.dropsReplies),
    takesPolicies: flag('Does it take policies from the originators?', PLAIN_ROUTER.takesPolicies),
    rocePriority: wholeIn(0, PRIORITY_MAX,
      'Priority that it maps the DSCP of RoCE data to. Default: the class of the data. Elsewhere it has neither PFC nor ECN.'),
  }),
}, 'Switches that are set wrong, or do not take part as they should.');

export const DISCOVERY_SCHEMA = record(optional({
  form: wordOf(['ipv4', 'ipv6'], 'ipv4: as the disclosure has it; ipv6: the form of this library.',
    DEFAULT_DISCOVERY.form),
  onMismatch: wordOf(['report', 'push', 'refuse'],
    'report: the result says so; push: the policy is sent to all nodes; refuse: the run does not start.',
    DEFAULT_DISCOVERY.onMismatch),
  timeoutUs: numberAboveZero(TIMEOUT_MAX_US, 'How long replies are waited for, us.', DEFAULT_DISCOVERY.timeoutUs),
  routers: listOf(ROUTER, 0, NODES_MAX, 'Switches that are set wrong; later ones win.'),
}), 'Lossless discovery over the paths of all flows before they start (Technical Disclosure Commons 1652).')
  .meta(ABSENT_UNLESS_GIVEN);

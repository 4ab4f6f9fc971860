/** Discovery before traffic (Technical Disclosure Commons 1652). */
import { DEFAULT_DISCOVERY, PLAIN_ROUTER } from '../../scenario/defaults.js';
import { ABSENT_UNLESS_GIVEN, flag, listOf, name, NODES_MAX, numberAboveZero, optional, record, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';

const TIMEOUT_MAX_US = 1e9;
const PRIORITY_MAX = 7;

const ROUTER = record({
  nodes: listOf(name('Name of a switch.'), 1, NODES_MAX, 'Switches with these settings.'),
  ...optional({
    responses: wordOf(['always', 'silent', 'unaware'],
      'always; silent: counts as a hop without a reply; unaware: forwards requests like any packet, neither counts nor replies, and accepts no policy.',
      PLAIN_ROUTER.responses),
    dropsReplies: flag('Whether an access list drops the replies of other nodes that pass here.',
      PLAIN_ROUTER.dropsReplies),
    takesPolicies: flag('Whether it accepts policies from the originators.', PLAIN_ROUTER.takesPolicies),
    rocePriority: wholeIn(0, PRIORITY_MAX,
      'Priority to which it maps the DSCP of RoCE data. Default: the class of the data. Others have neither PFC nor ECN.'),
  }),
},
  'Switches with wrong settings or incomplete support: how they treat requests, replies and policies, and how they map RoCE data.',
  'DiscoveryRouterSpec');

export const DISCOVERY_SCHEMA = record(optional({
  form: wordOf(['ipv4', 'ipv6'],
    'ipv4: the form of the disclosure; ipv6: the form of this library, which the simulated flows use.',
    DEFAULT_DISCOVERY.form),
  onMismatch: wordOf(['report', 'push', 'refuse'],
    'If a path is not lossless, or a node does not do all that the policy requires: report: the result reports it; push: the policy is sent to all nodes, and the flows run with the resulting settings; refuse: the run does not start.',
    DEFAULT_DISCOVERY.onMismatch),
  timeoutUs: numberAboveZero(TIMEOUT_MAX_US, 'Timeout for replies, us.', DEFAULT_DISCOVERY.timeoutUs),
  routers: listOf(ROUTER, 0, NODES_MAX, 'Switches with wrong settings; later ones win.'),
}), 'Lossless discovery over the paths of all flows before they start (Technical Disclosure Commons 1652).',
  'DiscoverySpec')
  .meta(ABSENT_UNLESS_GIVEN);

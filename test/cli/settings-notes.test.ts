/**
 * Notes on settings of adapters and switches, of the linter and of tunings are data, and their sentences contain each
 * figure.
 */
import { lintNote, type LintNote } from '../../src/cli/lint/notes.js';
import { writtenSettingNote, type WrittenSettingNote } from '../../src/cli/tune/tune-result.js';
import type { SettingsNote } from '../../src/config/importers/index.js';
import { settingsNote } from '../../src/config/importers/notes.js';
import type { QosNote } from '../../src/qos/index.js';
import { qosNote } from '../../src/qos/notes.js';
import { testNotes, type NoteExamples } from '../support/note-figures.js';

const SETTING = { name: 'RPG_MAX_RATE_P1', value: 50 };
const WRITTEN = { name: 'ROCE_CC_PRIO_MASK_P1', value: '8', place: 'line 2' };
const PLACED = { place: 'BUFFER_PROFILE|lossless' };
const MADE = { group: 3, profile: 'pg_lossless_100000_5m_profile' };
const NOTE = { code: 'any', figures: {}, text: 'Any.' };

const SETTINGS: NoteExamples<SettingsNote> = {
  'default-assumed': { name: 'rpg_gd', vendor: 'nvidia', byDefault: 11 },
  'setting-left-out': { ...WRITTEN, reason: 'rtt-probes' },
  'unknown-setting-left-out': { name: 'ROCE_CC_MAGIC_P1', place: 'line 3' },
  'other-settings-left-out': { settings: 12 },
  'other-parameters-left-out': { names: ['roce_ena', 'debug'] },
  'alpha-convention': { ...SETTING, convention: 'retention', gainOf1024: 5 },
  'byte-reset-unit': { ...SETTING, unitBytes: 64, bytes: 3200 },
  'cnp-scope': { name: 'min_time_between_cnps', scope: 'port' },
  'cnps-with-ect0': {},
  'maximum-of-port': { name: 'rpg_max_rate', lineRateBps: 100e9 },
  'point-enabled': { point: 'reaction point', enabled: 1, given: 2 },
  'least-rate-unit': { value: 100, unit: 'megabits', leastRateBps: 100e6 },
  'rates-of-path': { mssBytes: 4096, rttPs: 10e6 },
  'decrease-factor-remains': {},
  'alpha-of-sigcomm15': {},
  'default-notification-point': {},
  'maximum-without-limiter': SETTING,
  'retention-read-as-gain': SETTING,
  'gain-read-as-retention': SETTING,
  'mask-of-priorities': { ...WRITTEN, priorities: [3] },
  'point-disabled': { point: 'notification point' },
  'setting-idle': { ...SETTING, reason: 'cuts-leave-all', because: ['rpg_min_dec_fac = 100'] },
  'dcqcn-off': { name: 'dcqcn_enable' },
  'settings-not-used': {},
  'no-byte-counter': {},
};

const QOS: NoteExamples<QosNote> = {
  'table-missing': { table: 'QUEUE' },
  'queues-of-other-asics': { table: 'QUEUE', others: ['lc3|asic0'], read: ['lc1|asic0'] },
  'further-queues-left-out': { queues: 2, from: 8 },
  'dscp-before-pcp': {},
  'map-incomplete': { ...PLACED, missing: [0, 1, 2, 26] },
  'no-map-to-traffic-classes': {},
  'no-map-to-priority-groups': {},
  'no-map-to-queues': {},
  'group-made-at-run-time': MADE,
  'profile-made-at-run-time': { profile: MADE.profile },
  'group-computed-at-run-time': MADE,
  'size-missing': PLACED,
  'headroom-not-compared': { ...PLACED, lacking: 'speed' },
  'cable-of-profile': { ...PLACED, cable: '300m' },
  'xoff-by-cable': {},
  'output-incomplete': { lacking: ['pfc', 'buffer-map'] },
};

const LINT: NoteExamples<LintNote> = {
  'of-node': { node: 'leaf1', note: NOTE },
  'of-port': { node: 'leaf1', port: 'Ethernet0', note: NOTE },
  'of-ports': { ports: ['Ethernet0', 'Ethernet4', 'Ethernet8', 'Ethernet12', 'Ethernet16'], note: NOTE },
  'hosts-as-recommended': {},
  'traffic-class-is-priority': {},
  'points-not-in-output': {},
  'maps-not-in-settings': {},
  'points-not-stated': { points: ['reaction', 'notification'], vendor: 'nvidia' },
  'notification-point-of-port': { priorities: [3, 4] },
};

const TUNE: NoteExamples<WrittenSettingNote> = {
  'value-rounded': { setting: 'RPG_AI_RATE', written: 5, wanted: 5.25 },
  'alpha-as-retention': {},
  'byte-reset-in-units': { unitBytes: 64 },
  'increases-of-path': { mssBytes: 4096, rttPs: 10e6 },
  'no-setting-of-alpha': {},
};

testNotes('settings of adapters', settingsNote, SETTINGS, {
  otherWords: { vendor: 'intel', reason: 'packet-steering', 'setting-idle.reason': 'rate-set' },
});
testNotes('QoS settings', qosNote, QOS, { otherWords: { lacking: 'length', 'output-incomplete.lacking': ['trust'] } });
testNotes('what was linted', lintNote, LINT, {
  otherWords: { points: ['reaction'], vendor: 'intel', note: { ...NOTE, text: 'Another.' } },
});
testNotes('found settings', writtenSettingNote, TUNE);

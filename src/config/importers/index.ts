/**
 * roce-cc/settings: importers of adapter settings from text. The importer that reads folders needs Node: roce-cc/settings/node.
 *
 * @packageDocumentation
 */
export type { EnabledPriorities, ImportedSettings, StatedBy, VendorValue } from './imported-settings.js';
export type { AlphaConvention } from './settings-text.js';
export { importIrdma, type IrdmaImportOptions } from './irdma.js';
export { importMlxconfig, listMlxconfig, type MlxconfigColumn, type MlxconfigImportOptions,
  type MlxconfigSection } from './mlxconfig.js';
export { importCcParams, importRoceSysfs } from './nvidia-runtime.js';
export type { SettingsNote } from './notes.js';
export type { NvidiaImportOptions } from './nvidia.js';

/** Kinds of vendor settings, by command-line name. */
export const SETTINGS_KINDS = ['mlxconfig', 'sysfs', 'cc-params', 'irdma'] as const;
export type SettingsKind = (typeof SETTINGS_KINDS)[number];

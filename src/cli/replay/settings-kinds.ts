/** Kinds of vendor settings, by their names on the command line. */
export const SETTINGS_KINDS = ['mlxconfig', 'sysfs', 'cc-params', 'irdma'] as const;
export type SettingsKind = (typeof SETTINGS_KINDS)[number];

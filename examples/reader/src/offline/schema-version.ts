/**
 * The highest schema version of packages that this app reads. docs/offline-packages.md describes the
 * versions.
 */
export const maxSchemaVersion = 2;

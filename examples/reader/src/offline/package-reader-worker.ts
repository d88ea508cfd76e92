import { expose } from 'comlink';
import { createPackageReader } from './package-reader';

// Disables SQLite's own storage in the browser (OPFS), which this app does not use. Without special
// headers of the server, OPFS would log a warning.
Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: { opfs: true, 'opfs-wl': true } } } });

expose(createPackageReader());

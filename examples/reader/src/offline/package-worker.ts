import { expose } from 'comlink';
import { createPackageReader } from './package-reader';

// Disables SQLite's own storage in the browser: it needs special headers of the server, and logs a warning without them.
Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: { opfs: true, 'opfs-wl': true } } } });

expose(createPackageReader());

import { expose } from 'comlink';
import { createPackageReader } from './package-reader';

// SQLite's own storage in the browser needs headers of the server, and writes a warning without them.
Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: { opfs: true, 'opfs-wl': true } } } });

expose(createPackageReader());

import { expose } from 'comlink';
import { createPackageReader } from './package-reader';

// SQLite reports that it cannot use its own storage in the browser. This app does not use that storage.
Object.assign(globalThis, { sqlite3ApiConfig: { warn: () => undefined } });

expose(createPackageReader());

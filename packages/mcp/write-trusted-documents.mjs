// Writes the operations of the tools as a manifest of trusted documents, for keys that are restricted to these.
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as operations from './dist/operations.generated.js';

const documents = Object.values(operations.default)
  .map(String)
  .map((text) => [hash('sha256', text), text]);
const manifest = `${JSON.stringify(Object.fromEntries(documents), null, 2)}\n`;
writeFileSync(join(import.meta.dirname, 'dist', 'trusted-documents.json'), manifest);

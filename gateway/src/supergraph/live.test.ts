import { readdirSync } from 'node:fs';
import { createLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import { openSupergraphCopy } from './live';

test('gateways with one folder and equal process ids leave a complete copy of the supergraph when all write it at once', async () => {
  await withFolder(async (folder) => {
    const lines: string[] = [];
    const log = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
    const copies = Array.from({ length: 3 }, () => openSupergraphCopy(folder, 'https://example.org/supergraph', log));
    const texts = copies.map((_, index) => String(index).repeat(1_000_000));
    await Promise.all(copies.map((copy, index) => copy.write(texts[index] ?? '')));
    expect(lines).toEqual([]);
    expect(texts).toContain(await copies[0]?.read());
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

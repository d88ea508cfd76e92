import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './data-folder';

/** One edition: its language, and the verses of Psalm 1 as USFX has them. */
export interface SmallEdition {
  readonly identifier: string;
  readonly language: string;
  readonly verses: readonly string[];
}

/** Makes a corpus of these editions in a folder, with the `corpus` command as people do, and gives its path. */
export function makeSmallCorpus(folder: string, editions: readonly SmallEdition[]): string {
  for (const { identifier, language, verses } of editions) {
    const file = join(folder, `${identifier}.usfx`);
    const text = verses.map((verse, index) => `<v id="${index + 1}"/>${verse}<ve/>`).join('\n');
    writeFileSync(file, `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>${language}</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p>${text}</p></book></usfx>`);
    execFileSync(process.execPath, [join(repositoryRoot, 'packages', 'corpus', 'dist', 'cli.js'), 'import', file, '--data', folder, '--replace'], { stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return join(folder, 'corpus.sqlite');
}

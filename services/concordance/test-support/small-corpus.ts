import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';

/** One edition: its language, and the verses of Psalm 1 as USFX has them. */
export interface SmallEdition {
  readonly identifier: string;
  readonly language: string;
  readonly verses: readonly string[];
}

/** Makes a corpus of these editions in a folder, as the `corpus` command does, and gives its path. */
export async function makeSmallCorpus(folder: string, editions: readonly SmallEdition[]): Promise<string> {
  const files = editions.map(({ identifier, language, verses }) => {
    const file = join(folder, `${identifier}.usfx`);
    const text = verses.map((verse, index) => `<v id="${index + 1}"/>${verse}<ve/>`).join('\n');
    writeFileSync(
      file,
      `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>${language}</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p>${text}</p></book></usfx>`,
    );
    return file;
  });
  await importFiles(files, { dataDir: folder, log: () => undefined, given: {}, replace: true });
  return join(folder, 'corpus.sqlite');
}

/** Neither programs that fetch nor modules of the person who runs the tests. */
export const bareEnv = (folder: string): NodeJS.ProcessEnv => ({ HOME: folder, PATH: folder });

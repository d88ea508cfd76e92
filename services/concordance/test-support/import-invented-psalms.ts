import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';

/** An invented translation that has only Psalm 1. The verses are markup in the XML format USFX. */
export interface SmallTranslation {
  readonly identifier: string;
  readonly language: string;
  readonly verses: readonly string[];
}

/** Imports the translations into the data folder `folder`. */
export async function makeSmallCorpus(folder: string, translations: readonly SmallTranslation[]): Promise<void> {
  const files = translations.map(({ identifier, language, verses }) => {
    const file = join(folder, `${identifier}.usfx`);
    const text = verses.map((verse, index) => `<v id="${index + 1}"/>${verse}<ve/>`).join('\n');
    writeFileSync(
      file,
      `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>${language}</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p>${text}</p></book></usfx>`,
    );
    return file;
  });
  await importFiles(files, { dataDir: folder, log: () => undefined, given: {}, replace: true });
}

/**
 * Returns environment variables with the given folder as HOME and PATH. A build then finds neither
 * the programs that fetch SWORD modules nor the SWORD modules of the user.
 */
export const isolatedEnv = (folder: string): NodeJS.ProcessEnv => ({ HOME: folder, PATH: folder });

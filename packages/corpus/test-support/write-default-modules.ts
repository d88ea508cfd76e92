import { books } from '@lectern/canon';
import { defaultTranslations } from '../src/default-translations';
import type { ModuleSources } from '../src/fetch/modules';
import { writeModule } from './write-module';

/** Writes a small module for each default translation: one verse in each of the 66 books. */
export function writeDefaultModules(root: string, text = ''): ModuleSources {
  return new Map(
    defaultTranslations.map(({ module, language }) => [
      module,
      writeModule(root, {
        name: module,
        entries: Object.fromEntries(books.map(({ code }) => [`${code} 1:1`, `${code} ${language} ${text}`])),
      }),
    ]),
  );
}

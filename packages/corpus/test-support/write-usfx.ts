import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a USFX file with verses of Psalms, 200 per chapter. Returns its path. */
export function writeSmallBible(
  folder: string,
  name: string,
  options: { language?: string; verses?: number } = {},
): string {
  const { language = 'deu', verses = 3 } = options;
  const chapters: string[] = [];
  for (let verse = 0; verse < verses; verse += 1) {
    const [chapter, number] = [Math.floor(verse / 200) + 1, (verse % 200) + 1];
    if (number === 1) chapters.push(`<c id="${chapter}"/><p>`);
    chapters.push(
      `<v id="${number}"/>Vers ${'wort '.repeat(20)}<w s="H${(verse % 8000) + 1}">Ende</w>.<f caller="+">Anmerkung</f><ve/>`,
    );
    if (number === 200 || verse === verses - 1) chapters.push('</p>\n');
  }
  const file = join(folder, name);
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>${language}</languageCode><book id="PSA"><h>Psalmen</h>${chapters.join('\n')}</book></usfx>`,
  );
  return file;
}

import { basename } from 'node:path';
import type { Numbering } from '@lectern/canon';
import { tokenizeMarkup } from '../markup/tokens';
import { type FoundMetadata, oneLine } from '../resolve-metadata';
import { parseVersification } from './versification';
import { decodeHead, type NamedBytes, readXml } from './xml';

const vrsLimit = 1_000_000;

/** Returns whether the name of a file says that it has metadata about the books in its folder. */
export const isMetadataFile = (name: string): boolean =>
  /^(?:metadata\.xml|settings\.xml|[\w.-]+\.vrs)$/i.test(basename(name));

/** Maps Paratext's names of numberings to Lectern's: the number in Settings.xml, and the name in a .vrs file. */
const numberingOf: Readonly<Record<string, Numbering>> = {
  1: 'original',
  2: 'septuagint',
  3: 'vulgate',
  4: 'standard',
  5: 'synodal-protestant',
  6: 'synodal',
  original: 'original',
  septuagint: 'septuagint',
  vulgate: 'vulgate',
  english: 'standard',
  'russian protestant': 'synodal-protestant',
  'russian orthodox': 'synodal',
};

/** Maps elements of metadata.xml (Digital Bible Library) and Settings.xml (Paratext), by their path, to properties. */
const propertyOf: Readonly<Record<string, keyof FoundMetadata>> = {
  'DBLMetadata/identification/name': 'name',
  'DBLMetadata/identification/abbreviation': 'abbrev',
  'DBLMetadata/language/iso': 'language',
  'DBLMetadata/language/scriptDirection': 'direction',
  'ScriptureText/FullName': 'name',
  'ScriptureText/Name': 'abbrev',
  'ScriptureText/LanguageIsoCode': 'language',
  'ScriptureText/Copyright': 'note',
};

/**
 * Reads metadata about a translation from metadata.xml of a USX bundle, Settings.xml of a Paratext project and a .vrs
 * file. If a property has several values, takes the first. Rejects with an ImportError if a file is not XML.
 */
export async function readMetadata(files: readonly NamedBytes[]): Promise<Partial<FoundMetadata>> {
  const found: Partial<FoundMetadata> = {};
  const copyright: string[] = [];
  const set = (property: keyof FoundMetadata, text: string): void => {
    if (oneLine(text) !== '') Object.assign(found, { [property]: oneLine(text), ...found });
  };
  const setNumbering = (name: string): void => {
    const numbering = numberingOf[name.trim().toLowerCase()];
    if (numbering) found.numbering ??= numbering;
  };
  for (const file of files) {
    if (/\.vrs$/i.test(file.name)) {
      const text = decodeHead(file.bytes.subarray(0, vrsLimit));
      setNumbering(/^#\s*Versification\s*"([^"]*)"/im.exec(text)?.[1] ?? '');
      // A file custom.vrs has only what differs from the numbering of the project, and counts before other files.
      if (/^custom\./i.test(basename(file.name)) || !found.versification)
        found.versification = parseVersification(text, file.name);
      continue;
    }
    const path: string[] = [];
    await readXml(file, {}, () => ({
      open: (name) => void path.push(name),
      close(_, ownText) {
        const property = propertyOf[path.join('/')];
        // Paratext writes the copyright as HTML, whose signs are escaped.
        if (property) set(property, property === 'note' ? plainText(ownText) : ownText);
        if (path.join('/') === 'ScriptureText/Versification') setNumbering(ownText);
        path.pop();
      },
      text: (text) => void (path[0] === 'DBLMetadata' && path[1] === 'copyright' && copyright.push(text)),
    }));
  }
  set('note', copyright.join(' '));
  if (found.note) found.licence = found.note;
  if (found.abbrev) found.identifier = found.abbrev;
  // Paratext writes the language as "en:::GB".
  if (found.language) found.language = found.language.split(':')[0] ?? '';
  return found;
}

const plainText = (html: string): string =>
  /[<&]/.test(html)
    ? tokenizeMarkup(html)
        .map(({ kind, text }) => (kind === 'text' ? text : ' '))
        .join('')
    : html;

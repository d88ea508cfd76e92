import { isTranslationIdentifier, type Numbering } from '@lectern/canon';
import { importError } from './import-errors-and-remarks';
import { direction, languageName, toIso639 } from './language-codes';
import type { Licence, TranslationMetadata } from './translation';

/** The metadata in a source file. A property is '' if the source lacks it. */
export interface FoundMetadata {
  name: string;
  abbrev: string;
  /** The language code as written in the source: en, ENG, en-GB. */
  language: string;
  note: string;
  /** The licence as the source names it: "Public Domain". */
  licence?: string;
}

/** The metadata on the command line. It overrides the metadata of the source. */
export interface GivenMetadata {
  identifier?: string | undefined;
  name?: string | undefined;
  abbrev?: string | undefined;
  language?: string | undefined;
  note?: string | undefined;
  licence?: string | undefined;
  licenceHolder?: string | undefined;
  licenceUrl?: string | undefined;
  numbering?: string | undefined;
}

const numberings: readonly Numbering[] = ['standard', 'web', 'rv1909'];

/**
 * Completes the metadata of a translation from the command line, the source and the file name
 * ("eng-web.usfx.xml"). Throws an ImportError if a property is invalid, or the identifier or the
 * language is unknown.
 */
export function resolveMetadata(
  fileName: string,
  found: FoundMetadata,
  given: GivenMetadata,
): { metadata: TranslationMetadata; remarks: string[] } {
  const remarks: string[] = [];
  const stem = fileName.split('.')[0]?.toLowerCase() ?? '';
  const language = resolveLanguage(fileName, stem, found, given);
  const identifier = given.identifier ?? (isTranslationIdentifier(stem) && languageOf(stem) === language ? stem : '');
  if (identifier === '')
    throw importError(
      `${fileName}: say what to call the translation, such as --identifier ${language}-${suggestion(stem)}`,
    );
  if (!isTranslationIdentifier(identifier))
    throw importError(`--identifier '${identifier}' may hold only small letters a-z, digits and hyphens`);
  const numbering = numberings.find((known) => known === (given.numbering ?? 'standard'));
  if (!numbering)
    throw importError(`--numbering '${given.numbering}' is not known; these are: ${numberings.join(', ')}`);

  const name = given.name ?? found.name;
  if (name === '') remarks.push(`the file has no title: the translation is named ${identifier} (--name changes that)`);
  const note = given.note ?? found.note;
  if (note === '') remarks.push('the file has no licence note: --note adds one');
  return {
    remarks,
    metadata: {
      identifier,
      name: oneLine(name) || identifier,
      abbrev: oneLine(given.abbrev ?? shortName(found.abbrev)) || null,
      language,
      languageName: languageName(language),
      direction: direction(language),
      note: oneLine(note) || `Licence not stated; imported from ${fileName}`,
      licence: resolveLicence(found, given),
      numbering,
    },
  };
}

function resolveLicence({ licence: name = '' }: FoundMetadata, given: GivenMetadata): Licence {
  const code = given.licence ?? licenceCode(name);
  if (!/^[A-Za-z0-9.+-]{1,64}$/.test(code))
    throw importError(`--licence '${code}' is not a licence code: use PD or an SPDX identifier such as CC-BY-SA-4.0`);
  const url = given.licenceUrl ?? null;
  if (url !== null && !/^https?:\/\/\S+$/.test(url))
    throw importError(`--licence-url '${url}' is not an address that starts with https:// or http://`);
  return { code, holder: oneLine(given.licenceHolder ?? '') || null, url };
}

/**
 * Translates the name of a licence that a SWORD module uses, such as "Creative Commons: BY-SA 4.0",
 * to its SPDX identifier. "Public Domain" becomes PD, and an unknown name NOASSERTION.
 */
function licenceCode(name: string): string {
  if (/^public domain$/i.test(name)) return 'PD';
  const [, rights, version] = /^Creative Commons: (BY(?:-NC)?(?:-SA|-ND)?|CC0) (\d\.\d)$/i.exec(name) ?? [];
  if (rights === undefined) return 'NOASSERTION';
  return `${rights.toUpperCase() === 'CC0' ? '' : 'CC-'}${rights.toUpperCase()}-${version}`;
}

function resolveLanguage(fileName: string, stem: string, found: FoundMetadata, given: GivenMetadata): string {
  if (given.language !== undefined) {
    const language = toIso639(given.language);
    if (!language)
      throw importError(
        `--language '${given.language}' is not a language code: use an ISO 639-3 code such as eng or spa`,
      );
    return language;
  }
  const language = toIso639(found.language) ?? languageOf(stem);
  if (!language)
    throw importError(
      `${fileName}: its language is unknown${found.language ? ` ('${found.language}')` : ''}; say --language, such as --language eng`,
    );
  return language;
}

/** Returns the language of a file name such as eng-web or chi-cuv. Returns null for other names. */
const languageOf = (stem: string): string | null => toIso639(/^([a-z]{3})-/.exec(stem)?.[1] ?? '');

const suggestion = (stem: string): string =>
  stem
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20) || 'name';

/**
 * Returns the text if it can be the short name of a translation: at most 20 letters, digits,
 * spaces, dots and hyphens. Returns '' for any other text: some converters write a file path in
 * place of the short name.
 */
const shortName = (text: string): string => (/^[\p{L}\p{N} .-]{1,20}$/u.test(text.trim()) ? text : '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().normalize('NFC');

import { basename } from 'node:path';
import { isTranslationIdentifier, type Numbering, numberings } from '@lectern/canon';
import { isFree, licenceTerms } from './licences';
import { importError, type Licence, type TranslationMetadata, type Versification } from './translation';

/** The metadata in a source file. A property is '' if the source lacks it. */
export interface FoundMetadata {
  name: string;
  abbrev: string;
  /** The language code as written in the source: en, ENG, en-GB. */
  language: string;
  note: string;
  /** The licence as the source names it: "Public Domain". */
  licence?: string;
  /** The short name in the source's metadata, which becomes part of the identifier. */
  identifier?: string;
  /** RTL or RtoL if the source says that its text runs from right to left. */
  direction?: string;
  /** The numbering that the source names. The import uses another one if that fits the chapters better. */
  numbering?: Numbering;
  /** What the source says of its own numbering. */
  versification?: Versification;
}

/** The metadata and choices from the command line. The metadata take precedence over the metadata of the source. */
export type GivenMetadata = Partial<
  Record<
    | 'identifier'
    | 'name'
    | 'abbrev'
    | 'language'
    | 'note'
    | 'licence'
    | 'licenceHolder'
    | 'licenceUrl'
    | 'licenceMaxVerses'
    | 'numbering',
    string
  >
> & {
  /** Whether a verse that cannot be stored is left out. Otherwise the translation is rejected. */
  keepGoing?: boolean;
  /** A file with the names of books. */
  names?: string;
};

/** The default identifier of a translation: its file name up to the first dot. */
export const stemOf = (file: string): string => basename(file).split('.')[0]?.toLowerCase() ?? '';

/** Completes the metadata: from the command line, the source and, last, a file name such as eng-web.usfx.xml. */
export function resolveMetadata(
  fileName: string,
  found: FoundMetadata,
  given: GivenMetadata,
): { metadata: TranslationMetadata; remarks: string[] } {
  const remarks: string[] = [];
  const stem = stemOf(fileName);
  const language = resolveLanguage(fileName, stem, found, given);
  const fromSource = found.identifier ? `${language}-${suggestion(found.identifier.toLowerCase())}` : '';
  const identifier =
    given.identifier ?? (isTranslationIdentifier(stem) && languageOf(stem) === language ? stem : fromSource);
  if (identifier === '')
    throw importError(
      `${fileName}: say what to call the translation, such as --identifier ${language}-${suggestion(stem)}`,
    );
  if (!isTranslationIdentifier(identifier))
    throw importError(`--identifier '${identifier}' may hold only small letters a-z, digits and hyphens`);
  const numbering = numberings.find((known) => known === (given.numbering ?? found.numbering ?? 'standard'));
  if (!numbering)
    throw importError(`--numbering '${given.numbering}' is not known; these are: ${numberings.join(', ')}`);

  const name = given.name ?? found.name;
  if (name === '') remarks.push(`the file has no title: the translation is named ${identifier} (--name changes that)`);
  const note = given.note ?? found.note;
  const licence = resolveLicence(found, given);
  if (note === '' && licenceTerms(licence.code).attributionRequired !== false)
    remarks.push('the file has no licence note: --note adds one');
  if (!isFree(licence.code))
    remarks.push(
      `the licence ${licence.code === 'NOASSERTION' ? 'is not stated (--licence)' : `${licence.code} is not known to be free`}: only OFFLINE_TRANSLATIONS=free,${identifier} makes offline packages`,
    );
  return {
    remarks,
    metadata: {
      identifier,
      name: oneLine(name) || identifier,
      abbrev: oneLine(given.abbrev ?? shortName(oneLine(found.abbrev))) || null,
      language,
      languageName: new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language) ?? null,
      direction: /^r/i.test(found.direction ?? '') ? 'RTL' : 'LTR',
      note: oneLine(note) || `Licence not stated; imported from ${fileName}`,
      licence,
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
  const { licenceHolder: holder = '', licenceMaxVerses: max } = given;
  if (max !== undefined && !/^[1-9]\d{0,5}$/.test(max))
    throw importError(`--licence-max-verses '${max}' is not a whole number from 1 to 999999`);
  return { code, holder: oneLine(holder) || null, url, ...(max !== undefined && { maxVerses: Number(max) }) };
}

/** Translates a SWORD module's licence, such as "Creative Commons: BY-SA 4.0", to an SPDX code. */
function licenceCode(name: string): string {
  if (/^public domain$/i.test(name)) return 'PD';
  const [, rights, version] =
    /^CREATIVE COMMONS: (BY(?:-NC)?(?:-SA|-ND)?|CC0) (\d\.\d)$/.exec(name.toUpperCase()) ?? [];
  if (rights === undefined) return 'NOASSERTION';
  return `${rights === 'CC0' ? '' : 'CC-'}${rights}-${version}`;
}

function resolveLanguage(fileName: string, stem: string, found: FoundMetadata, given: GivenMetadata): string {
  const language =
    given.language === undefined ? (toIso639(found.language) ?? languageOf(stem)) : toIso639(given.language);
  if (language) return language;
  throw importError(
    given.language === undefined
      ? `${fileName}: its language is unknown${found.language ? ` ('${found.language}')` : ''}; say --language, such as --language eng`
      : `--language '${given.language}' is not a language code: use an ISO 639-3 code such as eng or spa`,
  );
}

/** Returns the language of a file name such as eng-web or chi-cuv, or null. */
const languageOf = (stem: string): string | null => toIso639(/^([a-z]{3})-/.exec(stem)?.[1] ?? '');

const suggestion = (stem: string): string =>
  stem
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20) || 'name';

/** Returns the text if it can be a short name. Otherwise '': some converters write a file path in its place. */
const shortName = (text: string): string => (/^[\p{L}\p{N} .-]{1,20}$/u.test(text) ? text : '');

/** Joins the lines of a text. The result has single spaces and is in NFC. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().normalize('NFC');

// Pairs of an ISO 639-1 code and the ISO 639-3 code of the language, from https://iso639-3.sil.org
const pairs =
  'aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis bmbam bnben bobod brbre bsbos cacat ceche chcha ' +
  'cocos crcre csces cuchu cvchv cycym dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry ' +
  'gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido isisl itita ' +
  'iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ' +
  'ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ' +
  'ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslk ' +
  'slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi ' +
  'tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhzho zuzul';
// Pairs of a bibliographic ISO 639-2 code, as Zefania files have it, and the ISO 639-3 code of the language.
const bibliographic =
  'albsqi armhye baqeus burmya chizho czeces dutnld frefra geokat gerdeu greell iceisl macmkd maomri maymsa perfas rumron sloslk tibbod welcym';

const table = (text: string, length: number): ReadonlyMap<string, string> =>
  new Map(text.split(' ').map((pair) => [pair.slice(0, length), pair.slice(length)]));

const byTwoLetters = table(pairs, 2);
const byBibliographic = table(bibliographic, 3);
const noLanguage = new Set(['mis', 'mul', 'und', 'zxx']);

/** Converts "en", "en-GB" or "ger" to an ISO 639-3 code. Keeps other codes of three letters. Null for other text. */
export function toIso639(code: string): string | null {
  const plain = code.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  if (/^[a-z]{2}$/.test(plain)) return byTwoLetters.get(plain) ?? null;
  if (!/^[a-z]{3}$/.test(plain) || noLanguage.has(plain)) return null;
  return byBibliographic.get(plain) ?? plain;
}

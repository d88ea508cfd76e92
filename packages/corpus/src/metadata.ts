import { isTranslationIdentifier, type Numbering } from '@lectern/canon';
import { importError, type Licence, type TranslationMetadata } from './translation';

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
export type GivenMetadata = Partial<
  Record<
    'identifier' | 'name' | 'abbrev' | 'language' | 'note' | 'licence' | 'licenceHolder' | 'licenceUrl' | 'numbering',
    string
  >
>;

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
 * Translates the name of a licence in a SWORD module ("Creative Commons: BY-SA 4.0") to its SPDX
 * identifier.
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
 * Returns the text if it can be a short name, else '': some converters write a file path in its
 * place.
 */
const shortName = (text: string): string => (/^[\p{L}\p{N} .-]{1,20}$/u.test(text.trim()) ? text : '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().normalize('NFC');

// Pairs of an ISO 639-1 code (two letters) and the ISO 639-3 code of the same language, from
// https://iso639-3.sil.org
const pairs =
  'aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis bmbam bnben bobod brbre bsbos cacat ceche chcha ' +
  'cocos crcre csces cuchu cvchv cycym dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry ' +
  'gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido isisl itita ' +
  'iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ' +
  'ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ' +
  'ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslk ' +
  'slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi ' +
  'tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhzho zuzul';
// Pairs of a bibliographic ISO 639-2 code and the different ISO 639-3 code. Zefania files use
// bibliographic codes.
const bibliographic =
  'albsqi armhye baqeus burmya chizho czeces dutnld frefra geokat gerdeu greell iceisl macmkd maomri maymsa perfas rumron sloslk tibbod welcym';

const table = (text: string, length: number): ReadonlyMap<string, string> =>
  new Map(text.split(' ').map((pair) => [pair.slice(0, length), pair.slice(length)]));

const byTwoLetters = table(pairs, 2);
const byBibliographic = table(bibliographic, 3);
const rightToLeft = new Set(
  (
    'aii arb arc ara apc arq ary arz bal ckb div fas glk hbo heb kas lrc mzn pbt pbu pes pnb prs pus sam skr ' +
    'snd syc syr tmr uig urd ydd yid'
  ).split(' '),
);

// ISO 639-3 codes that mean no particular language, such as "undetermined" and "multiple
// languages".
const noLanguage = new Set(['mis', 'mul', 'und', 'zxx']);

/**
 * Translates "en", "en-GB", "ENG" or "ger" to ISO 639-3. Returns null for an unknown code of two
 * letters, for `noLanguage`, and for text that is not a code. Any other three letters count as ISO
 * 639-3.
 */
function toIso639(code: string): string | null {
  const plain = code.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  if (/^[a-z]{2}$/.test(plain)) return byTwoLetters.get(plain) ?? null;
  if (!/^[a-z]{3}$/.test(plain) || noLanguage.has(plain)) return null;
  return byBibliographic.get(plain) ?? plain;
}

/**
 * Returns the English name of the language with this ISO 639-3 code. Returns null if the name is
 * not known.
 */
export function languageName(code: string): string | null {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code);
  return name ?? null;
}

/** Returns the writing direction of a language (ISO 639-3). */
export const direction = (code: string): 'LTR' | 'RTL' => (rightToLeft.has(code) ? 'RTL' : 'LTR');

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
const rightToLeft = new Set([
  'aii',
  'arb',
  'arc',
  'ara',
  'apc',
  'arq',
  'ary',
  'arz',
  'bal',
  'ckb',
  'div',
  'fas',
  'glk',
  'hbo',
  'heb',
  'kas',
  'lrc',
  'mzn',
  'pbt',
  'pbu',
  'pes',
  'pnb',
  'prs',
  'pus',
  'sam',
  'skr',
  'snd',
  'syc',
  'syr',
  'tmr',
  'uig',
  'urd',
  'ydd',
  'yid',
]);

// ISO 639-3 codes that mean no particular language, such as "undetermined" and "multiple
// languages".
const noLanguage = new Set(['mis', 'mul', 'und', 'zxx']);

/**
 * Translates "en", "en-GB", "ENG" or "ger" to ISO 639-3. Returns null for an unknown code of two
 * letters, for the codes in `noLanguage`, and for text that is not a code. Any other three letters
 * count as an ISO 639-3 code.
 */
export function toIso639(code: string): string | null {
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

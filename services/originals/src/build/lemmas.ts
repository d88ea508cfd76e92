import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OriginalSources } from '@lectern/corpus';
import { readAttribute, tokenizeMarkup } from '@lectern/corpus';
import { foldOriginal } from '../script/fold';
import { hebrewPrefixes } from '../words';

export interface Lemma {
  readonly key: string;
  /** Null if the lexicons lack the lemma. */
  readonly text: string | null;
  readonly strongs: string | null;
  readonly letter: string | null;
  readonly gloss: string | null;
}

/** Glosses of the commonest lemmas: the lexicons begin some of them with a rare or an old sense. */
function readGlosses(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(__dirname, '..', '..', 'glosses.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

/**
 * Reads the lexicons of the Open Scriptures Hebrew Bible. The returned function takes the lemma of a
 * word without its prefixes: "7225", "1254 a", or a prefix alone. Throws for any other text.
 */
export function createHebrewLemmas(sources: OriginalSources): (lemma: string) => Lemma {
  const folder = sources.get('hebrewlexicon');
  const glosses = readGlosses();
  const entries = folder ? readLexicalIndex(folder) : new Map<string, Entry>();
  const strongs = folder ? readHebrewStrongs(folder) : new Map<string, string>();
  return (lemma) => {
    const prefix = hebrewPrefixes[lemma];
    if (prefix) return { key: `H${lemma}`, ...prefix, strongs: null, letter: null };
    const [, number, letter = null] = /^(\d{1,4})(?: ([a-z]))?$/.exec(lemma) ?? [];
    if (number === undefined) throw new Error(`unknown lemma '${lemma}'`);
    const entry = entries.get(number + (letter ?? '')) ?? entries.get(number);
    return {
      key: `H${number}${letter ?? ''}`,
      text: entry?.text ?? strongs.get(number) ?? null,
      strongs: `H${number}`,
      letter,
      gloss: glosses.get(`H${number}${letter ?? ''}`) ?? entry?.gloss ?? null,
    };
  };
}

interface Entry {
  text: string;
  gloss: string | null;
}

/** Reads AugIndex.xml and LexicalIndex.xml: the entry of each extended Strong's number, such as 1254a. */
function readLexicalIndex(folder: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let entry: Entry = { text: '', gloss: null };
  let element = '';
  for (const { kind, name, text, attributes } of tokenizeMarkup(
    readFileSync(join(folder, 'LexicalIndex.xml'), 'utf8'),
  )) {
    if (kind === 'open') element = name;
    if (kind === 'close') element = '';
    if (name === 'entry' && kind === 'open')
      entries.set(readAttribute(attributes, 'id'), (entry = { text: '', gloss: null }));
    if (kind !== 'text') continue;
    if (element === 'w') entry.text = (entry.text + text).normalize('NFC');
    if (element === 'def') entry.gloss = (entry.gloss ?? '') + text;
  }
  const byNumber = new Map<string, Entry>();
  const index = readFileSync(join(folder, 'AugIndex.xml'), 'utf8');
  for (const [, number = '', id = ''] of index.matchAll(/<w aug="(\w+)">(\w+)<\/w>/g)) {
    const found = entries.get(id);
    if (found) byNumber.set(number, found);
  }
  return byNumber;
}

function readHebrewStrongs(folder: string): Map<string, string> {
  const xml = readFileSync(join(folder, 'HebrewStrong.xml'), 'utf8');
  return new Map(
    Array.from(xml.matchAll(/<entry id="H(\d+)">\s*<w\b[^>]*>([^<]*)</g), ([, number = '', text = '']) => [
      number,
      text.normalize('NFC'),
    ]),
  );
}

/**
 * Lemmas of MorphGNT whose spelling neither Strong's dictionary nor Abbott-Smith has, or which they
 * have with two numbers or one that Strong never used.
 */
const ownNumbers: Readonly<Record<string, string>> = {
  μέν: 'G3303',
  κατέρχομαι: 'G2718',
  βελόνη: 'G956',
  μήν: 'G3376',
  ὦ: 'G5599',
  ἄπειμι: 'G548',
  βάτος: 'G942',
  σύνειμι: 'G4895',
  Δαυίδ: 'G1138',
  λοιπός: 'G3062',
  ἐλεάω: 'G1653',
  Μαριάμ: 'G3137',
  μιμνῄσκομαι: 'G3403',
  ἕνεκεν: 'G1752',
  χρυσοῦς: 'G5552',
  ὀψία: 'G3798',
  ἀφίσταμαι: 'G868',
  ἔνατος: 'G1766',
  μέλει: 'G3199',
  Σαμαρίτης: 'G4541',
  γαμίζω: 'G1061',
  στάδιος: 'G4712',
  ἐγκακέω: 'G1573',
  εἴπερ: 'G1512',
  διαρρήγνυμι: 'G1284',
  ἐμπίμπλημι: 'G1705',
  μήγε: 'G3361',
  σιδηροῦς: 'G4603',
  Ναζαρέτ: 'G3478',
  πετρῶδες: 'G4075',
  ἐνενήκοντα: 'G1768',
  εἴωθα: 'G1486',
  στεῖρα: 'G4723',
  μέχρις: 'G3360',
  ἄχρις: 'G891',
  ἀργυροῦς: 'G693',
  πλοῦς: 'G4144',
  οἶμαι: 'G3633',
  Ἄλφα: 'G1',
  Ἰωβήδ: 'G5601',
  Ἰάϊρος: 'G2383',
  ἀλάβαστρος: 'G211',
  ἔσθω: 'G2068',
  Ἰουνία: 'G2458',
  εἵνεκεν: 'G1752',
  ἐφοράω: 'G1896',
  σύνοιδα: 'G4894',
  συνοράω: 'G4894',
  οἰκτίρω: 'G3627',
  Βηθσαϊδάν: 'G966',
  Σαμαρῖτις: 'G4542',
  λεμά: 'G2982',
  ραββουνι: 'G4462',
  αὔξω: 'G837',
  Ἐλιακίμ: 'G1662',
  Ἀχίμ: 'G885',
  Νεφθαλίμ: 'G3508',
  ἑκατόνταρχος: 'G1543',
};

/**
 * Reads Strong's Greek dictionary and Abbott-Smith's lexicon. The returned function takes a lemma as
 * MorphGNT spells it. A lemma is found by its spelling, then without accents, then as the active of
 * a deponent. Strong's number is null if that finds none.
 */
export function createGreekLemmas(sources: OriginalSources): (lemma: string) => Lemma {
  const bySpelling = new Map<string, string>();
  const byFolded = new Map<string, string>();
  const add = (spelling: string, number: string): void => {
    const lemma = spelling.normalize('NFC');
    if (!bySpelling.has(lemma)) bySpelling.set(lemma, number);
    if (!byFolded.has(foldOriginal(lemma))) byFolded.set(foldOriginal(lemma), number);
  };
  const ownGlosses = readGlosses();
  const glosses = new Map<string, string>();
  const strongs = sources.get('sblgnt');
  const xml = strongs ? readFileSync(join(strongs, 'strongsgreek.xml'), 'utf8') : '';
  for (const [, number = '', unicode = ''] of xml.matchAll(/<entry strongs="0*(\d+)">[^]*?unicode="([^"]*)"/g))
    add(unicode, `G${number}`);
  const lexicon = sources.get('abbott-smith');
  const tei = lexicon ? readFileSync(join(lexicon, 'abbott-smith.tei_lemma.xml'), 'utf8') : '';
  for (const [, lemma = '', attributes = '', body = ''] of tei.matchAll(
    /<entry lemma="([^"]*)"([^>]*)>([^]*?)<\/entry>/g,
  )) {
    const number = /strong="(G\d+)/.exec(attributes)?.[1];
    if (number) add(lemma, number);
    const gloss = /<gloss>([^]*?)<\/gloss>/
      .exec(body)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (gloss && number && !glosses.has(number)) glosses.set(number, gloss);
  }
  return (key) => {
    const text = key.replace(/\((.)\)$/, (_, letter: string) => (letter === 'ν' ? '' : letter));
    const folded = foldOriginal(text);
    const active = folded.replace(/(?:ε|α|ο)?ομαι$/, (ending) => `${ending.slice(0, -4)}ω`);
    const number = ownNumbers[text] ?? bySpelling.get(text) ?? byFolded.get(folded) ?? byFolded.get(active) ?? null;
    return {
      key,
      text,
      strongs: number,
      letter: null,
      gloss: ownGlosses.get(key) ?? (number === null ? null : (glosses.get(number) ?? null)),
    };
  };
}

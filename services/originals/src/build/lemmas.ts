import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LexiconEntry } from '../lexicons/entry';
import { strongsHebrewId } from '../lexicons/hebrew';
import type { SourceLexicons } from '../lexicons/read-lexicons';
import { foldOriginal, readPairs } from '../script/fold';
import { hebrewPrefixes } from '../word-resolvers';

export interface Lemma {
  readonly key: string;
  /** The lemma as the lexicons write it. Null if they lack it. */
  readonly text: string | null;
  readonly strongs: string | null;
  readonly letter: string | null;
  readonly gloss: string | null;
}

/**
 * Reads glosses (short translations) of the most frequent lemmas. They replace those of the lexicons, which for some
 * lemmas begin with a rare or archaic sense.
 */
function readGlosses(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(__dirname, '..', '..', 'glosses.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

/**
 * Creates the function that finds the lemma of a Hebrew word. Its argument is the source's lemma without prefixes
 * ("7225", "1254 a"), or a prefix alone. It throws for any other text.
 */
export function createHebrewLemmas({ entries, hebrewIndex }: SourceLexicons): (lemma: string) => Lemma {
  const glosses = readGlosses();
  const indexed = new Map<string, { text: string; gloss: string | null }>();
  for (const { strongs, headword, gloss } of hebrewIndex.values()) {
    const key = strongs && strongs.number + strongs.letter;
    if (key && !indexed.has(key)) indexed.set(key, { text: headword, gloss: gloss || null });
  }
  const ofStrong = new Map(entries.map(({ id, headword }) => [id, headword]));
  return (lemma) => {
    const prefix = hebrewPrefixes[lemma];
    if (prefix) return { key: `H${lemma}`, ...prefix, strongs: null, letter: null };
    const [, number, letter = null] = /^(\d{1,4})(?: ([a-z]))?$/.exec(lemma) ?? [];
    if (number === undefined) throw new Error(`unknown lemma '${lemma}'`);
    const strongs = `H${number}`;
    const key = strongs + (letter ?? '');
    const entry = indexed.get(key) ?? indexed.get(strongs);
    const text = entry?.text ?? ofStrong.get(strongsHebrewId(strongs)) ?? null;
    return {
      key,
      text: text?.normalize('NFC') ?? null,
      strongs,
      letter,
      gloss: glosses.get(key) ?? entry?.gloss ?? null,
    };
  };
}

/**
 * Strong's numbers of MorphGNT's lemmas for which the lexicons have no usable number: the lemma is missing there, has
 * two numbers, or has a number that Strong never used.
 */
const ownNumbers = readPairs(`
  μέν:G3303 κατέρχομαι:G2718 βελόνη:G956 μήν:G3376 ὦ:G5599 ἄπειμι:G548 βάτος:G942 σύνειμι:G4895
  Δαυίδ:G1138 λοιπός:G3062 ἐλεάω:G1653 Μαριάμ:G3137 μιμνῄσκομαι:G3403 ἕνεκεν:G1752 χρυσοῦς:G5552
  ὀψία:G3798 ἀφίσταμαι:G868 ἔνατος:G1766 μέλει:G3199 Σαμαρίτης:G4541 γαμίζω:G1061 στάδιος:G4712
  ἐγκακέω:G1573 εἴπερ:G1512 διαρρήγνυμι:G1284 ἐμπίμπλημι:G1705 μήγε:G3361 σιδηροῦς:G4603
  Ναζαρέτ:G3478 πετρῶδες:G4075 ἐνενήκοντα:G1768 εἴωθα:G1486 στεῖρα:G4723 μέχρις:G3360 ἄχρις:G891
  ἀργυροῦς:G693 πλοῦς:G4144 οἶμαι:G3633 Ἄλφα:G1 Ἰωβήδ:G5601 Ἰάϊρος:G2383 ἀλάβαστρος:G211 ἔσθω:G2068
  Ἰουνία:G2458 εἵνεκεν:G1752 ἐφοράω:G1896 σύνοιδα:G4894 συνοράω:G4894 οἰκτίρω:G3627 Βηθσαϊδάν:G966
  Σαμαρῖτις:G4542 λεμά:G2982 ραββουνι:G4462 αὔξω:G837 Ἐλιακίμ:G1662 Ἀχίμ:G885 Νεφθαλίμ:G3508
  ἑκατόνταρχος:G1543 Βόες:G1003 ἔνθεν:G1782 γένημα:G1081 Γερασηνός:G1046 ἐπισκευάζομαι:G643
`);

/**
 * Creates the function that finds a lemma as MorphGNT spells it. The function searches Strong's Greek dictionary and
 * Abbott-Smith for the spelling, then for the spelling without accents, then for the active form of a deponent verb.
 * If none is found, the Strong's number is null.
 */
export function createGreekLemmas({ entries, greekNumbers }: SourceLexicons): (lemma: string) => Lemma {
  const bySpelling = new Map<string, string>();
  const byFolded = new Map<string, string>();
  const add = (spelling: string, number: string): void => {
    const lemma = spelling.normalize('NFC');
    if (!bySpelling.has(lemma)) bySpelling.set(lemma, number);
    if (!byFolded.has(foldOriginal(lemma))) byFolded.set(foldOriginal(lemma), number);
  };
  const ownGlosses = readGlosses();
  const glosses = new Map<string, string>();
  for (const { spelling, number } of greekNumbers) add(spelling, number);
  for (const entry of entries) {
    const number = entry.strongs[0]?.number;
    if (entry.language !== 'grc' || number === undefined) continue;
    add(entry.headword, number);
    const gloss = firstGloss(entry);
    if (gloss !== undefined && !glosses.has(number)) glosses.set(number, gloss);
  }
  return (key) => {
    const text = key.replace(/\((.)\)$/, (_, letter: string) => (letter === 'ν' ? '' : letter));
    const folded = foldOriginal(text);
    const active = folded.replace(/(?:ε|α|ο)?ομαι$/, (ending) => `${ending.slice(0, -4)}ω`);
    const number = ownNumbers.get(text) ?? bySpelling.get(text) ?? byFolded.get(folded) ?? byFolded.get(active) ?? null;
    return {
      key,
      text,
      strongs: number,
      letter: null,
      gloss: ownGlosses.get(key) ?? (number === null ? null : (glosses.get(number) ?? null)),
    };
  };
}

/**
 * Returns the first gloss of an entry's senses. The headword line and the derivation come last, because they also
 * have glosses of other words, such as synonyms.
 */
const firstGloss = ({ text, senses, derivation }: LexiconEntry): string | undefined =>
  [...senses, text, ...(derivation ? [derivation] : [])].flatMap((each) =>
    each.spans
      .filter(({ kind }) => kind === 'GLOSS')
      .map(({ start, length }) => each.text.slice(start, start + length)),
  )[0];

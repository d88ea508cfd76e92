import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LexiconEntry } from '../lexicons/entry';
import { strongsHebrewId } from '../lexicons/hebrew';
import type { SourceLexicons } from '../lexicons/read-lexicons';
import { foldOriginal } from '../script/fold';
import { hebrewPrefixes } from '../word-resolvers';

export interface Lemma {
  readonly key: string;
  /** The lemma as the lexicons write it. Null if they lack it. */
  readonly text: string | null;
  readonly strongs: string | null;
  readonly letter: string | null;
  readonly gloss: string | null;
  readonly spanishGloss: string | null;
}

/** Reads the first two columns of a file of this service, such as lemmas and their glosses. */
function readColumns(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(__dirname, '..', '..', file), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

/** The files of our own glosses. English ones replace those of the lexicons, which often begin with a rare sense. */
const glossFiles = { eng: 'glosses.tsv', spa: 'spanish-glosses.tsv' } as const;

/** Takes a Hebrew lemma without prefixes ("7225", "1254 a"), or a prefix alone. Throws for any other text. */
export function createHebrewLemmas({ entries, hebrewIndex }: SourceLexicons): (lemma: string) => Lemma {
  const glosses = readColumns(glossFiles.eng);
  const spanishGlosses = readColumns(glossFiles.spa);
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
      spanishGloss: spanishGlosses.get(key) ?? null,
    };
  };
}

/**
 * Searches Strong's Greek dictionary and Abbott-Smith for MorphGNT's spelling, then without accents, then for the
 * active form of a deponent verb. If none is found, the Strong's number is null.
 */
export function createGreekLemmas({ entries, greekNumbers }: SourceLexicons): (lemma: string) => Lemma {
  const bySpelling = new Map<string, string>();
  const byFolded = new Map<string, string>();
  const add = (spelling: string, number: string): void => {
    const lemma = spelling.normalize('NFC');
    if (!bySpelling.has(lemma)) bySpelling.set(lemma, number);
    if (!byFolded.has(foldOriginal(lemma))) byFolded.set(foldOriginal(lemma), number);
  };
  const ownGlosses = readColumns(glossFiles.eng);
  const spanishGlosses = readColumns(glossFiles.spa);
  // Lemmas that MorphGNT spells in another way than Strong, or that the lexicons give another number.
  const numbers = readColumns('greek-numbers.tsv');
  const glosses = new Map<string, string>();
  for (const { spelling, number } of greekNumbers) add(spelling, number);
  for (const entry of entries) {
    const number = entry.strongs[0]?.number;
    if (entry.language !== 'grc' || number === undefined) continue;
    add(entry.headword, number);
    const gloss = firstGloss(entry);
    for (const each of entry.strongs)
      if (gloss !== undefined && !glosses.has(each.number)) glosses.set(each.number, gloss);
  }
  return (key) => {
    const text = key.replace(/\((.)\)$/, (_, letter: string) => (letter === 'ν' ? '' : letter));
    const folded = foldOriginal(text);
    const active = folded.replace(/(?:ε|α|ο)?ομαι$/, (ending) => `${ending.slice(0, -4)}ω`);
    const number = numbers.get(text) ?? bySpelling.get(text) ?? byFolded.get(folded) ?? byFolded.get(active) ?? null;
    return {
      key,
      text,
      strongs: number,
      letter: null,
      gloss: ownGlosses.get(key) ?? (number === null ? null : (glosses.get(number) ?? null)),
      spanishGloss: spanishGlosses.get(key) ?? null,
    };
  };
}

/** Takes the first gloss of the senses. The headword line and the derivation come last: they also gloss other words. */
const firstGloss = ({ text, senses, derivation }: LexiconEntry): string | undefined =>
  [...senses, text, ...(derivation ? [derivation] : [])].flatMap((each) =>
    each.spans
      .filter(({ kind }) => kind === 'GLOSS')
      .map(({ start, length }) => each.text.slice(start, start + length)),
  )[0];

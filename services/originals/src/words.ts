import { hebrewPrefixes } from './build/lemmas';
import { describeGrammar, type Grammar } from './grammar/grammar';
import { languageOfCode } from './grammar/hebrew';
import type { OriginalsReader, OriginalWord, WordGrammar } from './reader';
import { withoutAccents, withoutPoints } from './script/fold';
import { transliterateGreek } from './script/greek';
import { transliterateHebrew } from './script/hebrew';

/** A part of a word: a prefix, the word itself, or a suffix. */
export interface OriginalSegment {
  readonly surface: string;
  readonly lemma: string | null;
  readonly strongsNumber: string | null;
  readonly gloss: string | null;
  readonly parsing: ReturnType<typeof parsingOf>;
}

const withoutSeams = (surface: string): string => surface.replaceAll('/', '');

const parsingOf = (grammar: Grammar, description = describeGrammar(grammar)) => ({ ...grammar, description });

/** The segment that has the word's lemma: the one after the prefixes. */
export const ownSegment = ({ prefixes, segments }: WordGrammar): Grammar => {
  const own = segments[Math.min(prefixes.length, segments.length - 1)];
  if (!own) throw new Error('A word has at least one segment');
  return own;
};

export function createWordFields({ grammarOf }: OriginalsReader) {
  const grammar = ({ parsing, verse }: OriginalWord): WordGrammar => grammarOf(parsing, verse.text);
  const isGreek = ({ verse }: OriginalWord): boolean => verse.text.language === 'grc';

  return {
    surface: ({ surface }: OriginalWord) => withoutSeams(surface),
    plain: ({ surface }: OriginalWord) => withoutAccents(withoutSeams(surface)),
    unpointed: ({ surface }: OriginalWord) => withoutPoints(withoutSeams(surface)),
    transliteration: (word: OriginalWord) =>
      isGreek(word) ? transliterateGreek(word.surface) : transliterateHebrew(word.surface, grammar(word).code),
    language: (word: OriginalWord) => (isGreek(word) ? 'grc' : languageOfCode(grammar(word).code)),

    /** The categories are those of the word's own segment; the description has all segments. */
    parsing(word: OriginalWord) {
      const { code, segments } = grammar(word);
      return {
        ...parsingOf(ownSegment(grammar(word)), segments.map((each) => describeGrammar(each)).join(' + ')),
        code,
      };
    },

    segments(word: OriginalWord): OriginalSegment[] {
      const { segments, prefixes } = grammar(word);
      const surfaces = word.surface.split('/');
      return segments.map((segment, index) => {
        const prefix = index < prefixes.length ? hebrewPrefixes[prefixes[index] ?? ''] : undefined;
        const isOwn = index === Math.min(prefixes.length, segments.length - 1);
        return {
          surface: surfaces[index] ?? '',
          lemma: isOwn ? word.lemma : (prefix?.text ?? null),
          strongsNumber: isOwn ? word.strongs : null,
          gloss: isOwn ? word.gloss : (prefix?.gloss ?? null),
          parsing: parsingOf(segment),
        };
      });
    },

    qere: ({ isReadOtherwise, qere }: OriginalWord) => (isReadOtherwise ? qere.map(withoutSeams).join(' ') : null),
  };
}

import type { RequestContext } from './context';
import { describeGrammar, type Grammar } from './grammar/grammar';
import { languageOfCode } from './grammar/hebrew';
import { type OriginalWord, ownSegment, type WordGrammar } from './reader';
import { withoutAccents, withoutPoints } from './script/fold';

/** The Hebrew prefixes, which are part of the next word, by their letter in a lemma such as b/7225. */
export const hebrewPrefixes: Readonly<
  Record<string, { readonly text: string; readonly gloss: string; readonly spanishGloss: string }>
> = {
  b: { text: 'בְּ', gloss: 'in', spanishGloss: 'en' },
  c: { text: 'וְ', gloss: 'and', spanishGloss: 'y' },
  d: { text: 'הַ', gloss: 'the', spanishGloss: 'el, la' },
  i: { text: 'הֲ', gloss: '(question)', spanishGloss: '(pregunta)' },
  k: { text: 'כְּ', gloss: 'like', spanishGloss: 'como' },
  l: { text: 'לְ', gloss: 'to', spanishGloss: 'a, para' },
  m: { text: 'מִן', gloss: 'from', spanishGloss: 'de, desde' },
  s: { text: 'שֶׁ', gloss: 'that', spanishGloss: 'que' },
};

/** A prefix of a word, the word itself, or a suffix. */
export interface OriginalSegment {
  readonly surface: string;
  readonly lemma: string | null;
  readonly strongsNumber: string | null;
  readonly gloss: string | null;
  readonly spanishGloss: string | null;
  readonly parsing: ReturnType<typeof parsingOf>;
}

export const withoutSeams = (surface: string): string => surface.replaceAll('/', '');

/** Returns a word as it is written without points and accents. */
export const unpointed = (surface: string): string => withoutPoints(withoutSeams(surface));

const parsingOf = (grammar: Grammar) => ({ ...grammar, description: describeGrammar(grammar) });

const grammarOf = ({ parsing }: OriginalWord, { store }: RequestContext): WordGrammar =>
  store.reader.grammarOf(parsing);

/** The descriptions, computed once for each grammar. There are at most 5,000 grammars. */
const parsings = new WeakMap<WordGrammar, ReturnType<typeof describeWord>>();

/** The categories are those of the word without prefixes and suffixes. The description includes these. */
function describeWord(grammar: WordGrammar) {
  const segments = grammar.segments.map((each) => parsingOf(each));
  const description = segments.map((each) => each.description).join(' + ');
  return { word: { ...ownSegment(grammar), code: grammar.code, description }, segments };
}

function parsingsOf(grammar: WordGrammar) {
  const known = parsings.get(grammar);
  if (known) return known;
  const described = describeWord(grammar);
  parsings.set(grammar, described);
  return described;
}

export const parsingOfWord = (grammar: WordGrammar) => parsingsOf(grammar).word;

/** Returns the gloss in a language of which glosses are known, or else in English. */
export const glossIn = (
  { gloss, spanishGloss }: Pick<OriginalSegment, 'gloss' | 'spanishGloss'>,
  { language }: { language?: string | null },
): string | null => (language === 'spa' ? spanishGloss : gloss);

export const wordResolvers = {
  gloss: glossIn,
  surface: ({ surface }: OriginalWord) => withoutSeams(surface),
  plain: ({ surface }: OriginalWord) => withoutAccents(withoutSeams(surface)),
  unpointed: ({ surface }: OriginalWord) => unpointed(surface),
  language(word: OriginalWord, _: unknown, context: RequestContext) {
    const { text, code } = grammarOf(word, context);
    return text.language === 'grc' ? 'grc' : languageOfCode(code);
  },

  parsing: (word: OriginalWord, _: unknown, context: RequestContext) => parsingOfWord(grammarOf(word, context)),

  segments(word: OriginalWord, _: unknown, context: RequestContext): OriginalSegment[] {
    const grammar = grammarOf(word, context);
    const { prefixes } = grammar;
    const { segments } = parsingsOf(grammar);
    const surfaces = word.surface.split('/');
    return segments.map((parsing, index) => {
      const prefix = index < prefixes.length ? hebrewPrefixes[prefixes[index] ?? ''] : undefined;
      const isOwn = index === Math.min(prefixes.length, segments.length - 1);
      return {
        surface: surfaces[index] ?? '',
        lemma: isOwn ? word.lemma : (prefix?.text ?? null),
        strongsNumber: isOwn ? word.strongs : null,
        gloss: isOwn ? word.gloss : (prefix?.gloss ?? null),
        spanishGloss: isOwn ? word.spanishGloss : (prefix?.spanishGloss ?? null),
        parsing,
      };
    });
  },

  qere: ({ qere }: OriginalWord, _: unknown, { store: { reader } }: RequestContext) =>
    qere && qere.map(({ form }) => withoutSeams(reader.forms.spelling(form).surface)).join(' '),
};

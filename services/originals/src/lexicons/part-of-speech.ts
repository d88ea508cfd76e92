/** The words for which the lexicons' abbreviations of parts of speech stand. */
const terms = new Map(
  Object.entries({
    abstr: 'abstract',
    adj: 'adjective',
    adv: 'adverb',
    card: 'cardinal',
    coll: 'collective',
    comm: 'common',
    comp: 'comparative',
    compar: 'comparative',
    conj: 'conjunction',
    conjc: 'conjunction',
    conjunct: 'conjunction',
    dei: 'deity',
    demonstr: 'demonstrative',
    denom: 'denominative',
    div: 'deity',
    du: 'dual',
    f: 'feminine',
    enclit: 'enclitic',
    fl: 'river',
    flum: 'river',
    font: 'spring',
    gent: 'gentilic',
    indecl: 'indeclinable',
    intens: 'intensive',
    interj: 'interjection',
    interrog: 'interrogative',
    loc: 'place',
    m: 'masculine',
    mont: 'mountain',
    n: 'noun',
    neg: 'negative',
    num: 'numeral',
    ord: 'ordinal',
    part: 'particle',
    pers: 'person',
    pl: 'plural',
    poss: 'possessive',
    pr: 'proper',
    prep: 'preposition',
    pron: 'pronoun',
    ptcp: 'participle',
    recipr: 'reciprocal',
    reflex: 'reflexive',
    rel: 'relative',
    relat: 'relative',
    subst: 'noun',
    superl: 'superlative',
    superlat: 'superlative',
    terr: 'territory',
    vb: 'verb',
    verb: 'verbal',
  }),
);

/** Expands `n.pr.m` and `n.[m.]` to words such as `proper noun masculine`. Other words stay unchanged. */
export const expandPartOfSpeech = (printed: string): string | null =>
  printed
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => terms.get(word) ?? word)
    .join(' ')
    .replace('noun proper', 'proper noun') || null;

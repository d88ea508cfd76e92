// Audits the forms of words that a search takes for one word: node bench/word-forms.mjs [eng|spa]
// Reads all words of the default translations (`npm run data`), and prints two lists for a person to read:
// - merged: words of one stem that regular endings do not connect, such as `pecado` and `peces`. A capital marks a name.
// - separated: words that regular endings connect, but that have different stems, such as `mujer` and `mujeres`.
// The lists in packages/words/forms repair both. Numbers are occurrences. Needs `npm run build` and `npm run data`.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createTermFolding, functionWords, stemmerFor, tokenize } = require('../packages/words/dist/index.js');

/** What may follow a word in a form of it: an ending, or other letters in place of the last ones (`y>ies`). */
const endings = {
  eng: 's es ed d ing er ers est eth th st ly ness nesses e>ing y>ies y>ied y>ieth y>iest y>ily y>iness f>ves fe>ves man>men ie>ying',
  spa: 's es a>o o>a o>os o>as a>as a>os e>a z>ces on>ona or>ora ar>o ar>a ar>an ar>as ar>e ar>aba ar>aban ar>aron ar>ado ar>ando ar>ara ar>are er>e er>en er>ia er>io er>ido er>iendo ir>e ir>en ir>ia ir>io ir>ido ir>iendo mente a>amente',
};
const doubled = 'ed ing er eth est'.split(' ');

function formsOf(word, language) {
  const forms = endings[language].split(' ').flatMap((ending) => {
    const [from, to] = ending.includes('>') ? ending.split('>') : ['', ending];
    return word.endsWith(from) ? [word.slice(0, word.length - from.length) + to] : [];
  });
  return language === 'eng' && /[aeiou][bdglmnprt]$/.test(word)
    ? [...forms, ...doubled.map((ending) => word + word.at(-1) + ending)]
    : forms;
}

/** Counts the words of a language. A word is a name if it never begins with a small letter. */
function countWords(corpus, language) {
  const termOf = createTermFolding(language);
  const words = new Map();
  for (const { identifier } of corpus.translations.filter((each) => each.language === language))
    for (const { text } of corpus.eachVerse(identifier))
      for (const token of tokenize(text)) {
        const term = termOf(token);
        const word = words.get(term) ?? { term, count: 0, isName: true };
        words.set(term, word);
        word.count += 1;
        word.isName &&= /^\p{Lu}/u.test(token.text);
      }
  return words;
}

const label = ({ term, count, isName }) => `${isName ? term.charAt(0).toUpperCase() + term.slice(1) : term} ${count}`;

function audit(words, language) {
  const stemOf = stemmerFor(language);
  const ignored = functionWords(language);
  const byStem = new Map();
  for (const word of words.values()) byStem.set(stemOf(word.term), [...(byStem.get(stemOf(word.term)) ?? []), word]);
  const separated = [...words.values()].flatMap((word) =>
    formsOf(word.term, language)
      .map((form) => words.get(form))
      .filter((form) => form && !form.isName && !word.isName && !ignored.has(word.term) && !ignored.has(form.term))
      .filter((form) => stemOf(form.term) !== stemOf(word.term))
      .map((form) => `${label(word)} | ${label(form)}`),
  );
  const merged = [...byStem].flatMap(([stem, same]) => {
    const groups = connect(same, language);
    return groups.length > 1 ? [`${stem}: ${groups.map((group) => group.map(label).join(', ')).join(' | ')}`] : [];
  });
  return { merged, separated };
}

/** Divides words into groups that regular endings, or a common word of which both are forms, connect. */
function connect(words, language) {
  const groups = [];
  for (const word of words.toSorted((a, b) => a.term.length - b.term.length)) {
    const known = new Set([word.term, ...formsOf(word.term, language)]);
    const near = groups.filter(
      (group) =>
        group[0].isName === word.isName &&
        group.some(({ term }) => known.has(term) || formsOf(term, language).some((form) => known.has(form))),
    );
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), word]);
  }
  return groups;
}

const corpus = openCorpus(process.env.LECTERN_DATA ?? 'data');
for (const language of process.argv[2] ? [process.argv[2]] : Object.keys(endings)) {
  const { merged, separated } = audit(countWords(corpus, language), language);
  console.log(
    `${language}: ${merged.length} stems of words that regular endings do not connect\n${merged.join('\n')}\n`,
  );
  console.log(
    `${language}: ${separated.length} pairs that regular endings connect, with different stems\n${separated.join('\n')}\n`,
  );
}
corpus.close();

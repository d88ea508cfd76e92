// Searches with your own questions as semanticSearch does, and reports how often a right verse is found.
// Usage: node bench/search-own-questions.mjs --help. Needs `npm run build` and `npm run data`.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { measureRanking } from '../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';
import { failure, runCommand } from '../scripts/command-line.mjs';
import { openSemanticSearch } from './search-quality/open-semantic-search.mjs';

const require = createRequire(import.meta.url);
const { formatReference, ordinalParts, readPassage, referenceFailureMessage, translationShape, verseOrdinal } =
  require('../packages/canon/dist/index.js');
const { openCorpus } = require('../packages/corpus/dist/index.js');

/** The maximum length of a query of `semanticSearch`, in UTF-16 units. */
const maxQuestionLength = 200;
/** The number of verses that are measured for each question. */
const measured = 10;

await runCommand({
  name: 'node bench/search-own-questions.mjs',
  description: 'Searches with your own questions as semanticSearch does, and reports how often a right verse is found.',
  options: [
    ['--translation <id>', 'the translation of questions that name none', 'spa-rv1909'],
    ['--data <folder>', 'the data folder', 'data'],
  ],
  arguments: [['<file>', 'a tab-separated file with the columns question, answers and, if needed, translation']],
  help: 'packages/embeddings/README.md describes the file. The settings EMBEDDINGS_ choose another model.',
  run: measureOwnQuestions,
});

async function measureOwnQuestions({ translation, data: dataDir }, file) {
  if (!existsSync(file)) throw failure(`There is no file ${file}.`);
  const corpus = openCorpus(dataDir);
  const questions = parseQuestions(readFileSync(file, 'utf8'), { file, corpus, translation });
  corpus.close();
  await measure(questions, dataDir);
  return 0;
}

/** Reads the questions of the file. Throws an error that names each wrong line. */
function parseQuestions(content, { file, corpus, translation }) {
  const [header = '', ...lines] = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = header.split('\t').map((name) => name.trim().toLowerCase());
  const missing = ['question', 'answers'].filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw failure(
      `${file}: the first line must name the columns, separated by tabs, and lacks ${missing.join(' and ')}`,
    );
  const shapes = new Map(corpus.translations.map((each) => [each.identifier, translationShape(each)]));
  const questions = [];
  const errors = [];
  for (const [index, row] of lines.entries()) {
    if (row.trim() === '') continue;
    const cells = row.split('\t');
    const cell = (name) => cells[columns.indexOf(name)]?.trim() ?? '';
    const question = {
      line: index + 2,
      text: cell('question'),
      answers: cell('answers'),
      translation: cell('translation') || translation,
    };
    const right = readAnswers(question, shapes);
    if (typeof right === 'string') errors.push(`  line ${question.line}: ${right}`);
    else questions.push({ ...question, right, shape: shapes.get(question.translation) });
  }
  if (errors.length > 0) throw failure(`${file}: correct these lines:`, ...errors);
  if (questions.length === 0) throw failure(`${file} has no questions after its first line`);
  return questions;
}

/** Returns the ordinals of the verses that answer a question, or a message that says what is wrong with it. */
function readAnswers({ text, answers, translation }, shapes) {
  const shape = shapes.get(translation);
  if (!shape) return `no translation '${translation}'; there are ${[...shapes.keys()].join(', ')}`;
  if (text === '' || text.length > maxQuestionLength)
    return `the question must have 1 to ${maxQuestionLength} characters`;
  const parts = readPassage(answers, shape).kind === 'too-long' ? answers.split(';') : [answers];
  const right = new Set();
  for (const part of parts.map((each) => each.trim()).filter((each) => each !== '')) {
    const passage = readPassage(part, shape);
    if (passage.kind !== 'resolved') return referenceFailureMessage(passage);
    if (passage.status !== 'OK') return `the translation lacks verses of '${part}'`;
    for (const place of passage.verses) right.add(verseOrdinal(place));
  }
  return right.size > 0 ? right : 'there are no answers, such as John 3:16; Romans 5:6-8';
}

/** Prints the measures of each translation, and the questions without a right verse among the first five. */
async function measure(questions, dataDir) {
  const { search, close } = await openSemanticSearch(dataDir);
  console.log('translation           n  success@1  success@5  nDCG@10');
  const missed = [];
  for (const translation of new Set(questions.map((question) => question.translation))) {
    const own = questions.filter((question) => question.translation === translation);
    const sums = { ndcg: 0, success5: 0, success1: 0 };
    for (const { line, text, answers, right, shape } of own) {
      const found = await search(text, translation, measured);
      const measures = measureRanking(found, new Map(Array.from(right, (ordinal) => [ordinal, 1])));
      for (const name of ['ndcg', 'success5', 'success1']) sums[name] += measures[name];
      if (measures.success5 > 0) continue;
      const references = found.slice(0, 5).map((ordinal) => {
        const place = ordinalParts(ordinal);
        return place === null ? String(ordinal) : formatReference([{ start: place, end: place }], shape);
      });
      missed.push(
        `line ${line}, ${translation}: ${text}`,
        `    right: ${answers}`,
        `    found: ${references.join('; ')}`,
      );
    }
    const mean = (name) => sums[name] / own.length;
    console.log(
      `${translation.padEnd(17)} ${String(own.length).padStart(5)}  ${mean('success1').toFixed(2).padStart(9)}  ${mean('success5').toFixed(2).padStart(9)}  ${mean('ndcg').toFixed(3).padStart(7)}`,
    );
  }
  await close();
  console.log(
    missed.length === 0
      ? '\nEvery question has a right verse among the first five.'
      : `\nWithout a right verse among the first five:\n${missed.join('\n')}`,
  );
}

import {
  formatReference,
  ordinalParts,
  readPassage,
  referenceFailureMessage,
  type TranslationShape,
  translationShape,
  verseOrdinal,
} from '@lectern/canon';
import type { Corpus } from '@lectern/corpus';
import type { Embedder } from './embedder';
import { openRanking } from './ranking';

interface Question {
  /** The number of the question's line in the file, from 1. */
  line: number;
  text: string;
  translation: string;
  /** The references of the right verses, as they are in the file. */
  answers: string;
  /** The ordinals of the right verses, in the numbering of the translation. Never empty. */
  right: ReadonlySet<number>;
}

const maxQuestions = 10_000;
/** The maximum length of a query of `semanticSearch`, in UTF-16 units. */
const maxQuestionLength = 200;
const maxErrors = 20;

const measured = 10;

/**
 * Returns the measures of a ranking, each from 0 to 1.
 * @param found the verses of the ranking, best first
 * @param grades how well each right verse answers the question
 */
export function measureRanking<Verse>(found: readonly Verse[], grades: ReadonlyMap<Verse, number>) {
  const gain = (values: readonly number[]): number =>
    values.slice(0, measured).reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  const success = (count: number): number => (found.slice(0, count).some((verse) => grades.has(verse)) ? 1 : 0);
  return {
    ndcg: ideal > 0 ? gain(found.map((verse) => grades.get(verse) ?? 0)) / ideal : 0,
    success5: success(5),
    success1: success(1),
  };
}

export const usageError = (message: string): Error => Object.assign(new Error(message), { name: 'UsageError' });

/**
 * Reads a tab-separated file of questions. Its first line names the columns: `question`, `answers` (references,
 * separated by semicolons), and `translation` if the questions have several. Throws a UsageError that names each
 * wrong line.
 * @param translation the identifier for questions without a translation
 */
export function parseQuestions(
  content: string,
  {
    file,
    corpus,
    translation,
  }: { file: string; corpus: Pick<Corpus, 'translation' | 'translations'>; translation: string },
): Question[] {
  const [header = '', ...lines] = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = header.split('\t').map((name) => name.trim().toLowerCase());
  const missing = ['question', 'answers'].filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw usageError(
      `${file}: the first line must name the columns, separated by tabs, and lacks ${missing.join(' and ')}; it has '${header.slice(0, 80)}'`,
    );
  const shapes = new Map(corpus.translations.map((each) => [each.identifier, translationShape(each)]));
  const questions: Question[] = [];
  const errors: string[] = [];
  for (const [index, row] of lines.entries()) {
    if (row.trim() === '') continue;
    const cells = row.split('\t');
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? '';
    const question = {
      line: index + 2,
      text: cell('question'),
      answers: cell('answers'),
      translation: cell('translation') || translation,
    };
    const right = readAnswers(question, shapes);
    if (typeof right === 'string') errors.push(`line ${question.line}: ${right}`);
    else questions.push({ ...question, right });
  }
  if (errors.length > 0) {
    const more = errors.length > maxErrors ? [`and ${errors.length - maxErrors} more`] : [];
    throw usageError([`${file}: correct these lines:`, ...errors.slice(0, maxErrors), ...more].join('\n  '));
  }
  if (questions.length === 0) throw usageError(`${file} has no questions after its first line`);
  if (questions.length > maxQuestions)
    throw usageError(`${file} has ${questions.length} questions; split it into files of at most ${maxQuestions}`);
  return questions;
}

/** Returns the verses that answer a question, or a message that says what is wrong with the question. */
function readAnswers(
  { text, answers, translation }: Omit<Question, 'right'>,
  shapes: ReadonlyMap<string, TranslationShape>,
): Set<number> | string {
  const shape = shapes.get(translation);
  if (!shape) return `no translation '${translation}'; there are ${[...shapes.keys()].join(', ')}`;
  if (text === '' || text.length > maxQuestionLength)
    return `the question must have 1 to ${maxQuestionLength} characters`;
  const parts = readPassage(answers, shape).kind === 'too-long' ? answers.split(';') : [answers];
  const right = new Set<number>();
  for (const part of parts.map((each) => each.trim()).filter((each) => each !== '')) {
    const passage = readPassage(part, shape);
    if (passage.kind !== 'resolved') return referenceFailureMessage(passage);
    if (passage.status !== 'OK') return `the translation lacks verses of '${part}'`;
    for (const place of passage.verses) right.add(verseOrdinal(place));
  }
  return right.size > 0 ? right : 'there are no answers, such as John 3:16; Romans 5:6-8';
}

interface EvaluateOptions {
  dataDir: string;
  corpus: Pick<Corpus, 'translation' | 'translations' | 'range'>;
  embedder: Pick<Embedder, 'id' | 'passageId' | 'embedQueries'>;
  signal?: AbortSignal;
}

/** Yields a report: the measures of each translation, and the questions without a right verse in five. */
export async function* evaluate(
  questions: readonly Question[],
  { dataDir, corpus, embedder, signal }: EvaluateOptions,
): AsyncGenerator<string> {
  yield 'translation           n  success@1  success@5  nDCG@10';
  const missed: string[] = [];
  for (const translation of new Set(questions.map((question) => question.translation))) {
    const own = questions.filter((question) => question.translation === translation);
    const ranking = await openRanking({ dataDir, corpus, embedder, translation });
    const shape = corpus.translations.filter(({ identifier }) => identifier === translation).map(translationShape)[0];
    const sums = { ndcg: 0, success5: 0, success1: 0 };
    try {
      for (const { line, text, answers, right } of own) {
        signal?.throwIfAborted();
        const found = (await ranking.search(text, measured)).map(({ ordinal }) => ordinal);
        const measures = measureRanking(found, new Map(Array.from(right, (ordinal) => [ordinal, 1])));
        for (const name of ['ndcg', 'success5', 'success1'] as const) sums[name] += measures[name];
        const references = found.slice(0, 5).map((ordinal) => referenceOf(ordinal, shape));
        if (measures.success5 === 0)
          missed.push(
            `line ${line}, ${translation}: ${text}`,
            `    right: ${answers}`,
            `    found: ${references.join('; ')}`,
          );
      }
    } finally {
      await ranking.close();
    }
    const [success1, success5, ndcg] = [sums.success1, sums.success5, sums.ndcg].map((sum) => sum / own.length);
    yield `${translation.padEnd(17)} ${String(own.length).padStart(5)}  ${success1?.toFixed(2).padStart(9)}  ${success5?.toFixed(2).padStart(9)}  ${ndcg?.toFixed(3).padStart(7)}`;
  }
  yield '';
  yield missed.length === 0
    ? 'Every question has a right verse among the first five.'
    : 'Without a right verse among the first five:';
  yield* missed;
}

function referenceOf(ordinal: number, shape: TranslationShape | undefined): string {
  const place = ordinalParts(ordinal);
  return place && shape ? formatReference([{ start: place, end: place }], shape) : String(ordinal);
}

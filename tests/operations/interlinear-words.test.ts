import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const lectern = useStarted(() => startEmbeddedLectern());

interface Word {
  text: string;
  start: number;
  length: number;
}

test.each([
  ['eng-web', 'JHN', 3, 2],
  ['eng-web', 'DEU', 3, 11],
  ['eng-kjv', 'GEN', 1, 1],
  ['spa-rv1909', 'JHN', 3, 16],
])(
  'the words of interlinear stand in the text of the verse where they say, also after a contraction: %s %s %i:%i',
  async (translation, book, chapter, verse) => {
    const { data, errors } = await lectern.client(
      `{ verse(translation: "${translation}", book: "${book}", chapter: ${chapter}, verse: ${verse}) {
         text interlinear(order: TRANSLATION) { words { text start length } }
       } }`,
    );
    expect(errors).toBeUndefined();
    const { verse: found } = data as { verse: { text: string; interlinear: { words: Word[] }[] } };
    const { text } = found;
    const words = found.interlinear.flatMap((segment) => segment.words);
    expect(words.length).toBeGreaterThan(3);
    for (const word of words) expect(text.slice(word.start, word.start + word.length)).toBe(word.text);
    const end = Math.max(...words.map(({ start, length }) => start + length));
    expect(text.slice(end)).toMatch(/^\P{L}*$/u);
  },
);

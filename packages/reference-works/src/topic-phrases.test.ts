import { createVersesAndParser } from './references';
import { listOtherTopicNames, listTopicPhrases } from './topics';

const { verses } = createVersesAndParser();
const span = (first: number, last = first) => ({ first, last });
const topic = (name: string, heading: string | null, ...entries: [string | null, ...ReturnType<typeof span>[]][]) => ({
  name,
  sections: [{ heading, entries: entries.map(([text, ...references]) => ({ text, references })) }],
  seeAlso: [],
});

test('listTopicPhrases joins topic, heading and entry to a phrase in lower case', () => {
  const topics = [
    topic('AARON', 'Rod  of', ['Buds', span(4017008)], [null, span(2007009)]),
    topic('ABEL', null, ['Son of Adam', span(1004002)]),
  ];
  expect(listTopicPhrases(topics, verses)).toEqual([
    { text: 'aaron: rod of: buds', topic: 'AARON', references: [span(4017008)] },
    { text: 'aaron: rod of', topic: 'AARON', references: [span(2007009)] },
    { text: 'abel: son of adam', topic: 'ABEL', references: [span(1004002)] },
  ]);
});

test('listTopicPhrases lists each phrase once with all its references, and cuts a phrase after 160 characters', () => {
  const long = 'x'.repeat(200);
  const topics = [topic('ABEL', null, ['Son', span(1004002)], ['son', span(1004004)], [long, span(1004008)])];
  expect(listTopicPhrases(topics, verses)).toEqual([
    { text: 'abel: son', topic: 'ABEL', references: [span(1004002), span(1004004)] },
    { text: `abel: ${long}`.slice(0, 160), topic: 'ABEL', references: [span(1004008)] },
  ]);
});

test('listTopicPhrases leaves out references to whole chapters, and phrases that have no other reference', () => {
  const [wholeChapter, wholeChapters] = [span(19023001, 19023006), span(1001001, 1003024)];
  const topics = [
    topic('SHEPHERD', null, ['God', wholeChapter, span(19080001)], ['Psalm', wholeChapter], ['Genesis', wholeChapters]),
    topic('NONE', null, ['Without verses']),
  ];
  expect(listTopicPhrases(topics, verses)).toEqual([
    { text: 'shepherd: god', topic: 'SHEPHERD', references: [span(19080001)] },
  ]);
});

test('listOtherTopicNames lists the names of topics without verses under the topics to which they link', () => {
  const topics = [
    { ...topic('ANXIETY', null), seeAlso: ['CARE', 'EMPTY'] },
    { ...topic('CARE', null, ['Remedy for', span(40006025)]), seeAlso: ['RICHES'] },
    topic('EMPTY', null),
    topic('RICHES', null, ['Deceitful', span(40013022)]),
  ];
  expect(listOtherTopicNames(topics, listTopicPhrases(topics, verses))).toEqual([{ text: 'anxiety', topic: 'CARE' }]);
});

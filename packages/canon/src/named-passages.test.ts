import type { NamedPassage } from '@lectern/canon';
import { findNamedPassages, namedPassageById, namedPassages, namedPassagesAt, parseReference } from '@lectern/canon';
import { nameWords } from './named-passages';

/** The ids of the passages that a query names in full. */
const named = (query: string, language = 'eng'): string[] =>
  findNamedPassages(query, { language })
    .filter(({ isFull }) => isFull)
    .map(({ passage }) => passage.id);

const allNames = (passage: NamedPassage): string[] => [...passage.names.eng, ...passage.names.spa];

describe('the table of named passages', () => {
  test('every named passage has a unique id, and namedPassageById finds the passage by its id', () => {
    expect(new Set(namedPassages().map(({ id }) => id)).size).toBe(namedPassages().length);
    for (const passage of namedPassages()) expect(namedPassageById(passage.id)).toBe(passage);
    expect(namedPassageById('no-such-passage')).toBeNull();
  });

  test('no two named passages have the same name, apart from articles, case and accents', () => {
    const shared = new Map<string, string[]>();
    for (const passage of namedPassages())
      for (const key of new Set(allNames(passage).map((name) => nameWords(name).join(' '))))
        shared.set(key, [...(shared.get(key) ?? []), passage.id]);
    expect([...shared].filter(([key, ids]) => key === '' || ids.length > 1)).toEqual([]);
  });

  test('no name of a passage is also a Bible reference, such as "Mark 3"', () => {
    const names = namedPassages().flatMap(allNames);
    expect(names.filter((name) => parseReference(name).kind === 'reference')).toEqual([]);
  });

  test('findNamedPassages returns a passage first for each of its names', () => {
    const lost = namedPassages().flatMap((passage) =>
      allNames(passage).filter((name) => findNamedPassages(name)[0]?.passage.id !== passage.id),
    );
    expect(lost).toEqual([]);
  });
});

describe('findNamedPassages', () => {
  test.each([
    ['The Sermon on the Mount', 'sermon-on-the-mount'],
    ['SERMON ON THE MOUNT!', 'sermon-on-the-mount'],
    ['the golden rule', 'golden-rule'],
    ['La parábola del hijo pródigo', 'prodigal-son'],
    ['la parabola del hijo prodigo', 'prodigal-son'],
    ['The Story of the Prodigal Son', 'prodigal-son'],
    ['la oración del Padre Nuestro', 'lords-prayer'],
    ["the Lord's prayer", 'lords-prayer'],
    ['the Lord’s prayer', 'lords-prayer'],
    ['the Lords Prayer', 'lords-prayer'],
    ['feeding of the 5000', 'feeding-of-the-five-thousand'],
    ['feeding of the 5,000', 'feeding-of-the-five-thousand'],
    ['the good samartian', 'good-samaritan'],
    ['las bienaventuransas', 'beatitudes'],
  ])('findNamedPassages recognizes %j as the name of a passage', (query, id) => {
    expect(named(query)).toEqual([id]);
  });

  test.each([
    'love',
    'what does the Bible say about marriage',
    'sheep',
    'Jesus',
    'bread',
    'pan',
    'Job',
    'the Bible',
    'John 3:16',
  ])('findNamedPassages finds no passage whose full name is %j', (query) => {
    expect(named(query)).toEqual([]);
  });

  test('findNamedPassages also finds passages that share only some words with the query, with a lower score', () => {
    const [first] = findNamedPassages('the samaritan on his way to Jericho');
    expect(first).toMatchObject({ passage: { id: 'good-samaritan' }, isFull: false });
    expect(first?.score).toBeLessThan(0.9);
    expect(findNamedPassages('the good samaritan')[0]).toMatchObject({ score: 1, isFull: true });
  });

  test('findNamedPassages returns no passages for a text that names none, or that is too long', () => {
    const hostile = ['', ' ', '...', 'the of la', '\ud800', '😀😀', 'שלום', "' OR 1=1 --", '<b>'];
    for (const query of [
      ...hostile,
      'a'.repeat(200),
      Array.from({ length: 21 }, (_, index) => `w${index}`).join(' '),
      'the golden rule '.repeat(20),
    ])
      expect(findNamedPassages(query)).toEqual([]);
  });

  test('findNamedPassages returns at most as many passages as its option `limit` says', () => {
    expect(findNamedPassages('Jesus', { limit: 3 })).toHaveLength(3);
  });
});

describe('namedPassagesAt', () => {
  test('namedPassagesAt returns the named passages that contain a verse, the shortest first', () => {
    const ids = namedPassagesAt({ book: 'MAT', chapter: 7, verse: 12 }).map(({ id }) => id);
    expect(ids[0]).toBe('golden-rule');
    expect(ids).toContain('sermon-on-the-mount');
    expect(namedPassagesAt({ book: 'LEV', chapter: 14, verse: 5 })).toEqual([]);
  });
});

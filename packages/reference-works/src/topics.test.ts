import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { withFolder } from '@lectern/testing';
import { describeWithMod2imp } from '../../corpus/test-support/mod2imp';
import { writeDictionary } from '../../corpus/test-support/write-sword-dictionary';
import { confOf, describeWithWorks } from '../test-support/installed-modules';
import { ref, see, topicMarkup } from '../test-support/topic-markup';
import { createVersesAndParser } from './references';
import { readTopics, type Topic } from './topics';

const versesAndParser = createVersesAndParser();

/** Reads a module that has these topics. */
const readSmall = (...entries: readonly (readonly [key: string, markup: string])[]) =>
  withFolder((folder) =>
    readTopics(writeDictionary(folder, { module: 'Nave', driver: 'zLD', entries }), versesAndParser),
  );

/** Reads a module that has one topic, and returns the entries of its first section. */
async function readLines(...lines: readonly string[]) {
  const { topics, unresolved } = await readSmall(['FAITH', topicMarkup('FAITH', ...lines)]);
  return { entries: topics[0]?.sections[0]?.entries, unresolved };
}

const span = (first: number, last = first) => ({ first, last });

test('readTopics turns a line of a topic into an entry with its text and its references', async () => {
  const { entries } = await readLines(
    `→ Lineage of ${ref('Exod.6.16-Exod.6.20', 'Ex 6:16-20')}; ${ref('Josh.21.4', 'Jos 21:4')},${ref('Josh.21.10', '10')}`,
  );
  expect(entries).toEqual([{ text: 'Lineage of', references: [span(2006016, 2006020), span(6021004), span(6021010)] }]);
});

test('readTopics turns a line with a nested list into a section heading, and each list item into an entry', async () => {
  const { topics } = await readSmall([
    'EAR',
    topicMarkup(
      'EAR',
      `→ Cropped ${ref('Exod.21.6', 'Ex 21:6')}`,
      `→ FIGURATIVE ${ref('Ps.17.6', 'Ps 17:6')} <list> <item>Of God ${ref('Ps.39.12', 'Ps 39:12')}</item> </list>`,
      '→ (An organ)',
    ),
  ]);
  expect(topics[0]?.sections).toEqual([
    { heading: null, entries: [{ text: 'Cropped', references: [span(2021006)] }] },
    {
      heading: 'FIGURATIVE',
      entries: [
        { text: null, references: [span(19017006)] },
        { text: 'Of God', references: [span(19039012)] },
      ],
    },
    { heading: null, entries: [{ text: '(An organ)', references: [] }] },
  ]);
});

test('readTopics corrects the misprint "Azariah 2" before "Ch 15:1" to 2 Chronicles 15:1', async () => {
  const { entries } = await readLines(`→ By ${ref('PrAzar.1.2', 'Azariah 2')}Ch 15:1-15; 16:2,3`);
  expect(entries).toEqual([
    { text: 'By Azariah', references: [span(14015001, 14015015), span(14016002), span(14016003)] },
  ]);
});

test('readTopics reads "Jude 1" before ":8-13,16" as verses 8 to 13 and 16 of Jude', async () => {
  const { entries } = await readLines(`→ Denounced ${ref('Jude.1.1', 'Jude 1')}:8-13,16; ${ref('Rev.2.1', 'Re 2:1')}`);
  expect(entries).toEqual([
    { text: 'Denounced', references: [span(65001008, 65001013), span(65001016), span(66002001)] },
  ]);
});

test('readTopics reads "Phm 1" as the whole book of Philemon, which has one chapter', async () => {
  const { entries } = await readLines(`→ Letter ${ref('Phlm.1.1', 'Phm 1')}`);
  expect(entries).toEqual([{ text: 'Letter', references: [span(57001001, 57001025)] }]);
});

test('readTopics reads chapters and verses without markup after a reference, such as "; with 22:6-19; 19"', async () => {
  const { entries } = await readLines(`→ Saul ${ref('1Kgs.18.12', '1Ki 18:12')}; with 22:6-19; 19 <item>x</item>`);
  expect(entries?.[0]).toEqual({
    text: 'Saul',
    references: [span(11018012), span(11022006, 11022019), span(11019001, 11019021)],
  });
});

test('readTopics leaves out references to nonexistent verses, and lists them in `unresolved`', async () => {
  const { entries, unresolved } = await readLines(`→ Trusted ${ref('Exod.3.29', 'Ex 3:29')}; ${ref('Col.1.1', '1:1')}`);
  expect(entries).toEqual([{ text: 'Trusted', references: [span(51001001)] }]);
  expect(unresolved).toEqual([{ place: 'FAITH', reference: 'Exod.3.29' }]);
});

test('readTopics finds the topic of an inexact link, such as GOATS for the topic GOAT, and lists other links in `brokenLinks`', async () => {
  const link = (name: string) =>
    topicMarkup(name, `→ See ${see('GOATS')}`, `→ See ${see('JESUS')}`, `→ See ${see('WICKED')}, PUNISHMENT OF`);
  const { topics, brokenLinks } = await readSmall(
    ['A', link('A')],
    ['GOAT', topicMarkup('GOAT', '→ An animal')],
    ['JESUS, THE CHRIST', topicMarkup('JESUS, THE CHRIST', '→ The Lord')],
    ['WICKED, PUNISHMENT OF', topicMarkup('WICKED, PUNISHMENT OF', `→ See ${see('NOWHERE')}`)],
  );
  expect(topics[0]).toEqual({
    name: 'A',
    sections: [],
    seeAlso: ['GOAT', 'JESUS, THE CHRIST', 'WICKED, PUNISHMENT OF'],
  });
  expect(brokenLinks).toEqual([{ place: 'WICKED, PUNISHMENT OF', reference: 'NOWHERE' }]);
});

test('of two topics with the same name, readTopics adds " (2)" to the name of the topic with fewer references', async () => {
  const { topics } = await readSmall(
    ['SIN', topicMarkup('SIN', `→ Desert of ${ref('Exod.16.1', 'Ex 16:1')}`)],
    ['SIN', topicMarkup('SIN', `→ Universal ${ref('Rom.3.23', 'Ro 3:23')}; ${ref('Rom.5.12', '5:12')}`)],
  );
  expect(topics.map(({ name }) => name)).toEqual(['SIN (2)', 'SIN']);
});

describeWithWorks("Nave's Topical Bible", () => {
  const { topics, unresolved, brokenLinks } = readTopics(confOf('Nave'), versesAndParser);
  const entriesOf = ({ sections }: Topic) => sections.flatMap(({ entries }) => entries);
  const references = topics.flatMap(entriesOf).flatMap((entry) => entry.references);

  test("readTopics reads all 5,322 topics of Nave's Topical Bible, and more than 99.9 % of the references name existing verses", () => {
    expect(topics).toHaveLength(5_322);
    expect(new Set(topics.map(({ name }) => name)).size).toBe(5_322);
    // The module has 77,935 references in markup, and a few references without markup.
    expect(references.length + unresolved.length).toBeGreaterThanOrEqual(77_935);
    expect(unresolved.length / references.length).toBeLessThan(0.001);
  });

  test("readTopics reads at least the expected number of phrases with verses from Nave's Topical Bible", () => {
    const phrases = topics.flatMap(({ name, sections }) =>
      sections.flatMap(({ heading, entries }) =>
        entries
          .filter((entry) => entry.references.length > 0)
          .map(({ text }) => [name, heading, text].filter(Boolean).join(': ').slice(0, 160).toLowerCase()),
      ),
    );
    expect(new Set(phrases).size).toBeGreaterThan(21_585);
  });

  test("readTopics resolves more than 97 % of the links between topics of Nave's Topical Bible", () => {
    const linkCount = topics.reduce((sum, { seeAlso }) => sum + seeAlso.length, 0);
    expect(brokenLinks.length / linkCount).toBeLessThan(0.03);
  });

  test("the texts of Nave's Topical Bible contain no markup, and only eight known references that are not set apart", () => {
    const texts = topics.flatMap(({ sections }) =>
      sections.flatMap(({ heading, entries }) => [heading, ...entries.map(({ text }) => text)]),
    );
    // These eight references have no markup in the module, such as "By Herod Agrippa II Ac 26:2,3".
    expect(texts.filter((text) => text !== null && /\d+:\d+/.test(text))).toHaveLength(8);
    expect(texts.filter((text) => text !== null && /[<>→]|^\W+$|[;,]$|\s\s|&\w+;/.test(text))).toEqual([]);
  });
});

describeWithWorks('compared with mod2imp', () => {
  describeWithMod2imp("Nave's Topical Bible", () => {
    test("readTopics finds each reference of Nave's Topical Bible that mod2imp prints, except repaired and unresolved ones", () => {
      const conf = confOf('Nave');
      const printed = execFileSync('mod2imp', ['Nave'], {
        env: { ...process.env, SWORD_PATH: join(dirname(conf), '..') },
        maxBuffer: 1 << 28,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const { topics } = readTopics(conf, versesAndParser);
      const entries = printed.split('$$$').slice(1);
      expect(entries).toHaveLength(topics.length);
      expect([...printed.matchAll(/osisRef=/g)]).toHaveLength(77_935);
      const differing = entries.filter((entry, index) => {
        const found = new Set(
          topics[index]?.sections.flatMap((section) =>
            section.entries.flatMap((each) => each.references.map(({ first, last }) => `${first}-${last}`)),
          ),
        );
        const wanted = [...entry.matchAll(/osisRef="([^"]*)"/g)].flatMap(
          ([, text = '']) => versesAndParser.parser.parse(text) ?? [],
        );
        return wanted.some(({ first, last }) => !found.has(`${first}-${last}`));
      });
      // readTopics repairs the references of only two kinds of topics: those with a reference that
      // stands partly outside of its markup, and those with a reference to a book of one chapter.
      expect(
        differing.every((entry) => /<\/ref>(?::\d|\s*(?:Ch|Ki|Sa|Ti) \d)|(?:Jude|Phm|Ob|[23]Jo) +1</.test(entry)),
      ).toBe(true);
      expect(differing.length).toBeLessThan(250);
    });
  });
});

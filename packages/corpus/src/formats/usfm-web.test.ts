import { existsSync } from 'node:fs';
import { isDeuterocanonical, ordinalParts } from '@lectern/canon';
import type { TextBreak } from '@lectern/verse-layout';
import { realSources } from '../../test-support/real-corpus';
import { defaultTranslations } from '../default-translations';
import { importSource } from '../import';
import { importModule } from '../sword/translation';
import type { DraftVerse } from '../translation';

// The World English Bible in USFM, as the Debian package bibledit-data installs it.
const folder = process.env['WEB_USFM'] || '/usr/share/bibledit/demo';
const testWithData = existsSync(folder) ? test : test.skip;

/** How the layouts of two verses with the same text differ. The two printed pages may be equal. */
function layoutDifference(a: DraftVerse, b: DraftVerse): string | null {
  const json = (value: unknown): string => JSON.stringify(value);
  const withoutStanzas = (breaks: readonly TextBreak[]): string => json(breaks.filter(({ kind }) => kind !== 'STANZA'));
  const joined = (marks: DraftVerse['layout']['marks']): string =>
    json(
      marks
        .flatMap(({ kind, start, length }) => Array.from({ length }, (_, at) => `${kind} ${start + at}`))
        .filter((at) => a.text[Number(at.split(' ')[1])] !== ' '),
    );
  if (withoutStanzas(a.layout.breaks) !== withoutStanzas(b.layout.breaks)) return 'breaks';
  if (json(a.layout.breaks) !== json(b.layout.breaks)) return 'stanzas';
  if (joined(a.layout.marks) !== joined(b.layout.marks)) return 'marks';
  if (json(a.layout.headings) !== json(b.layout.headings)) return 'headings';
  return json(a.layout.notes) === json(b.layout.notes) ? null : 'notes';
}

function difference(a: DraftVerse | undefined, b: DraftVerse | undefined): string | null {
  if (!a || !b) return 'only in one';
  if (a.text === b.text) return layoutDifference(a, b);
  if (a.text.replaceAll(' ', '') === b.text.replaceAll(' ', '')) return 'spaces';
  const lettersOf = ({ text }: DraftVerse): string => text.replace(/[^\p{L}\p{N}]/gu, '');
  return lettersOf(a) === lettersOf(b) ? 'punctuation' : 'words';
}

testWithData(
  'the World English Bible from USFM differs from its SWORD module only in the expected number of verses',
  async () => {
    const web = defaultTranslations.find(({ identifier }) => identifier === 'eng-web');
    const conf = web && (await realSources()).get(web.module);
    if (!web || !conf) throw new Error('the module of eng-web is missing');
    const fromModule = new Map(importModule(conf, web).verses.map((verse) => [verse.ordinal, verse]));
    const draft = await importSource(folder, { identifier: 'eng-web-u', language: 'eng' });
    const fromUsfm = new Map(draft.verses.map((verse) => [verse.ordinal, verse]));
    const counts: Record<string, number> = {};
    const deuterocanon = draft.verses.filter(({ ordinal }) =>
      isDeuterocanonical(ordinalParts(ordinal)?.book ?? 'GEN'),
    ).length;
    for (const ordinal of new Set([...fromModule.keys(), ...fromUsfm.keys()])) {
      const kind = difference(fromModule.get(ordinal), fromUsfm.get(ordinal)) ?? 'none';
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    // The two are of different years: these counts are revisions of the text.
    expect(counts).toEqual({
      none: 24_671,
      words: 1_940,
      punctuation: 3_477,
      spaces: 3,
      breaks: 465,
      stanzas: 505,
      notes: 37,
      'only in one': 6_929,
    });
    // The module has only the 66 books.
    expect(deuterocanon).toBe(6_929);
    expect(draft.name).toBe('World English Bible (WEB)');
    expect(draft.remarks.join()).not.toContain('left out');

    const documents = new Map(draft.documents?.map((document) => [document.code, document]));
    expect([...documents.keys()].join(' ')).toBe('FRT TOB JDT ESG WIS SIR BAR 1MA 2MA 3MA 4MA 1ES 2ES MAN PS2 GLO');
    expect(documents.get('FRT')).toMatchObject({
      title: 'Preface to the World English Bible',
      paragraphs: { length: 31 },
    });
    const entries = documents.get('GLO')?.paragraphs.flatMap(({ keyword }) => keyword ?? []) ?? [];
    expect([entries.length, entries[0], entries.at(-1)]).toEqual([94, 'Abaddon', 'Zion']);
  },
);

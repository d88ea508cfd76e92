import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatPlace, type Place, verseOrdinal } from '@lectern/canon';
import { openCorpus, type Translation } from '@lectern/corpus';
import { openOriginalsStore } from '../store';
import { originalTexts } from '../texts';
import { type AlignedTag, type AlignedVerse, originalsOf, type VerseAligner, wordsOf } from './aligned-verses';

const usage = `Usage: npm run export:alignment -- TRANSLATION FOLDER [BOOK ...]

Writes the alignment of a translation with the Hebrew and Greek texts to the new FOLDER, as a Scripture Burrito:

  metadata.json     the contents of the burrito
  alignment.json    the words that render each other, in the alignment format 0.4
  tokens.tsv        the words of the texts: document, selector, word
  unaligned.tsv     each Strong's number without an original word: verse, words, number, reason

A selector has the book, chapter, verse and word, such as 43003016001, in the numbering of its own text. BOOK is a USFM
code, such as GEN; without one, all books are written. The command prints how many numbers have an original word.

  --help    this text`;

/** Writes a place and the position of a word as BBCCCVVVWWW, which the scheme BCVWP has for whole words. */
const selector = (place: Place, word: number): string =>
  `${verseOrdinal(place)}`.padStart(8, '0') + `${word}`.padStart(3, '0');

/** Groups the tags of a verse that share an original word, such as the two parts of a verb. */
function groupTags({ tags }: AlignedVerse): AlignedTag[][] {
  let groups: AlignedTag[][] = [];
  for (const tag of tags) {
    const words = new Set(tag.originals.filter((word) => word !== null));
    if (words.size === 0) continue;
    const shares = (group: AlignedTag[]) =>
      group.some(({ originals }) => originals.some((word) => word && words.has(word)));
    groups = [...groups.filter((group) => !shares(group)), [...groups.filter(shares).flat(), tag]];
  }
  return groups;
}

function reasonOf(number: string, { originals }: AlignedVerse, aligner: VerseAligner): string {
  if (originals.length === 0) return 'no original verse';
  const isThere = aligner.numbersOf(originals).has(number);
  return isThere ? 'fewer such words in the original verse' : 'no such word in the original verse';
}

/** Collects the parts of the burrito from the verses of some books. */
function collect(translation: Translation, books: readonly string[], aligner: VerseAligner) {
  const records = new Map(originalTexts.map(({ id }) => [id, [] as { source: string[]; target: string[] }[]]));
  const tokens = new Map<string, string>();
  const unaligned: string[] = [];
  const counts = { H: { all: 0, known: 0 }, G: { all: 0, known: 0 } };
  for (const { code: book, chapters } of translation.books) {
    if (books.length > 0 && !books.includes(book)) continue;
    for (const [index, verses] of chapters.entries()) {
      const places = verses.map((verse) => ({ book, chapter: index + 1, verse }));
      for (const verse of aligner.align(translation, places)) {
        const { parts, text, tags, originals } = verse;
        const words = verse.words();
        const textOf = ({ start, length }: { start: number; length: number }) => text.slice(start, start + length);
        for (const { verse: place, position, surface } of originals)
          tokens.set(`${place.text.id}\t${selector(place, position)}`, surface.replaceAll('/', ''));
        for (const [position, word] of words.entries())
          tokens.set(`${translation.identifier}\t${selector(parts, position + 1)}`, textOf(word));
        for (const group of groupTags(verse)) {
          const own = originalsOf(verse, group);
          const source = own.map(({ verse: place, position }) => selector(place, position));
          const target = wordsOf(verse, group).map((word) => selector(parts, words.indexOf(word) + 1));
          if (target.length > 0) records.get(own[0]?.verse.text.id ?? '')?.push({ source, target });
        }
        for (const tag of tags)
          for (const [at, number] of tag.strongs.entries()) {
            const count = counts[number.startsWith('H') ? 'H' : 'G'];
            count.all += 1;
            if (tag.originals[at]) count.known += 1;
            else unaligned.push([formatPlace(parts), textOf(tag), number, reasonOf(number, verse, aligner)].join('\t'));
          }
      }
    }
  }
  return { records, tokens: [...tokens].map((token) => token.join('\t')), unaligned, counts };
}

/** Runs the command. Resolves to the exit status: 0 success, 1 failure, 2 a usage error. */
export async function runExportCommand(
  [identifier, folder, ...books]: readonly string[],
  { dataDir, write, log }: { dataDir: string; write: (line: string) => void; log: (line: string) => void },
): Promise<number> {
  const fail = (status: number, reason: string): number => {
    log(`export:alignment: ${reason}${status === 2 ? '; --help shows the usage' : ''}`);
    return status;
  };
  if (identifier === '--help') {
    write(usage);
    return 0;
  }
  const option = [identifier, folder, ...books].find((word) => word?.startsWith('-'));
  if (option !== undefined) return fail(2, `unknown option '${option}'`);
  if (!identifier || !folder) return fail(2, 'name a TRANSLATION and a FOLDER, such as eng-kjv kjv-alignment');
  if (existsSync(folder)) return fail(1, `${folder} exists already: name a new folder, or remove it`);
  const corpus = openCorpus(dataDir);
  const { aligner, reader, missing, close } = openOriginalsStore({ dataDir, corpus });
  try {
    const translation = corpus.translation(identifier);
    if (!translation) return fail(1, `there is no translation '${identifier}'`);
    const unknown = books.find((book) => !translation.books.some(({ code }) => code === book));
    if (unknown !== undefined) return fail(2, `${identifier} has no book '${unknown}'`);
    if (reader.texts.length === 0) return fail(1, missing ?? 'there are no original texts');
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return fail(1, `${folder} cannot be made (${code}): name a folder that you can write`);
    }
    const { records, tokens, unaligned, counts } = collect(translation, books, aligner);
    const timestamp = new Date().toISOString();
    const groups = [...records].map(([id, found]) => ({
      type: 'translation',
      meta: { creator: 'Lectern', timestamp },
      documents: [id, identifier].map((docid) => ({ scheme: 'BCVWP', docid })),
      roles: ['source', 'target'],
      records: found,
    }));
    const files = {
      'alignment.json': JSON.stringify({ format: 'alignment', version: '0.4', groups }),
      'tokens.tsv': ['document\tselector\tword', ...tokens, ''].join('\n'),
      'unaligned.tsv': ['verse\twords\tnumber\treason', ...unaligned, ''].join('\n'),
    };
    for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents);
    writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadataOf(translation, files, timestamp), null, 2));
    write(`Hebrew: ${counts.H.known} of ${counts.H.all} numbers\nGreek: ${counts.G.known} of ${counts.G.all} numbers`);
    return 0;
  } finally {
    close();
    corpus.close();
  }
}

/**
 * Describes a burrito and its files. No flavor of Scripture Burrito 1.0 is for alignments, so ours begins with x-. The
 * authority is a reserved domain, because no registry gives these identifiers.
 */
function metadataOf(translation: Translation, files: Readonly<Record<string, string>>, timestamp: string) {
  const { identifier, name, note } = translation;
  const notices = [note, ...originalTexts.map(({ licence }) => licence.attribution)];
  return {
    format: 'scripture burrito',
    meta: { category: 'source', version: '1.0.0', dateCreated: timestamp, defaultLocale: 'en' },
    idAuthorities: { lectern: { id: 'https://lectern.example' } },
    identification: {
      name: { en: `${name}: alignment with the Hebrew and Greek texts` },
      primary: { lectern: { [identifier]: { revision: '1', timestamp } } },
    },
    confidential: false,
    type: { flavorType: { name: 'parascriptural', flavor: { name: 'x-alignment' } } },
    copyright: { shortStatements: notices.map((statement) => ({ statement: statement.slice(0, 500), lang: 'en' })) },
    ingredients: Object.fromEntries(
      Object.entries(files).map(([file, contents]) => [
        file,
        {
          mimeType: file.endsWith('.json') ? 'application/json' : 'text/tab-separated-values',
          size: Buffer.byteLength(contents),
          checksum: { md5: createHash('md5').update(contents).digest('hex') },
        },
      ]),
    ),
  };
}

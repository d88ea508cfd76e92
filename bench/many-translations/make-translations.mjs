// Makes synthetic translations for bench/many-translations.mjs.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const Database = createRequire(require.resolve('../../packages/data-files/package.json'))('better-sqlite3');
const dataFiles = require('../../packages/data-files/dist/index.js');
const { openCorpus, textKind } = require('../../packages/corpus/dist/index.js');
const { writeTranslationText } = require('../../packages/corpus/dist/text-file.js');
const { buildSearchIndex, searchFileKind } = require('../../services/search/dist/index.js');
const { buildConcordanceIndex, concordanceFileKind } = require('../../services/concordance/dist/index.js');
const { buildStudyData, studyFileKind } = require('../../services/study/dist/index.js');
const { createRandom } = require('../../packages/testing/dist/index.js');

const kinds = [textKind, searchFileKind, concordanceFileKind, studyFileKind];
/** The files that all translations share. */
const sharedFiles = ['strongs.sqlite', 'reference-works.sqlite', 'phrases.vec'];
const silent = { log: () => undefined };

export const defaultIdentifiers = ['eng-kjv', 'eng-web', 'spa-rv1909'];

/** The identifiers of the first `count` translations: the defaults, then synthetic ones. */
export const identifiersOf = (count) =>
  Array.from({ length: count }, (_, index) => defaultIdentifiers[index] ?? `syn-${String(index).padStart(4, '0')}`);

/**
 * Returns a function that permutes the letters a to z in a text, vowels among vowels and consonants
 * among consonants. Equal words stay equal, and look like words.
 */
function createCipher(seed) {
  const random = createRandom(seed);
  const letters = new Map();
  for (const group of ['aeiou', 'bcdfghjklmnpqrstvwxyz']) {
    const shuffled = [...group].sort(() => random() - 0.5);
    for (const [index, letter] of [...group].entries()) {
      letters.set(letter, shuffled[index]);
      letters.set(letter.toUpperCase(), shuffled[index].toUpperCase());
    }
  }
  return (text) => text.replaceAll(/[a-z]/gi, (letter) => letters.get(letter));
}

/** Returns a copy of a translation under another identifier, with its letters replaced by `createCipher`. */
function enciphered(stored, identifier, seed) {
  const cipher = createCipher(seed);
  return {
    ...stored,
    origin: 'import',
    details: { ...stored.details, identifier, name: `Synthetic ${identifier}` },
    // The text keeps its length, so the offsets of tags and layout stay valid.
    verses: Array.from(stored.verses, (verse) => ({ ...verse, text: cipher(verse.text) })),
  };
}

/** Copies the files of a translation. The copies have another identifier and another digest of the text. */
function copyTranslation(dataDir, source, identifier) {
  mkdirSync(dataFiles.translationFolder(dataDir, identifier), { recursive: true });
  for (const kind of kinds) {
    const file = dataFiles.translationFile(dataDir, kind, identifier);
    if (existsSync(file)) continue;
    const copy = `${file}.copy`;
    copyFileSync(dataFiles.translationFile(dataDir, kind, source), copy);
    const db = new Database(copy);
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    const value = db.prepare('SELECT value FROM manifest WHERE key = ?').pluck();
    const update = db.prepare('UPDATE manifest SET value = ? WHERE key = ?');
    const digest = createHash('sha256')
      .update(`${value.get('textDigest')} ${identifier}`)
      .digest('hex');
    update.run(identifier, 'identifier');
    update.run(digest, 'textDigest');
    update.run(value.get('entry').replaceAll(source, identifier), 'entry');
    db.close();
    dataFiles.storeChecksum(copy);
    renameSync(copy, file);
  }
}

/** The size of a translation's files in bytes. */
export const sizeOf = (dataDir, identifier) =>
  kinds.reduce((sum, kind) => sum + statSync(dataFiles.translationFile(dataDir, kind, identifier)).size, 0);

/**
 * Fills `dataDir` with `count` translations: the default translations of `sourceDir`, then `distinct`
 * synthetic texts, which are imported and indexed, then copies of these under other identifiers. What an
 * earlier call has written is not written again. Resolves with the average seconds for importing and
 * indexing a synthetic text, or with null if all were there.
 */
export async function makeTranslations({ dataDir, sourceDir, count, distinct, log }) {
  for (const name of sharedFiles)
    if (!existsSync(join(dataDir, name))) linkSync(join(sourceDir, name), join(dataDir, name));
  const linkTranslation = (identifier) => {
    mkdirSync(dataFiles.translationFolder(dataDir, identifier), { recursive: true });
    for (const kind of kinds) {
      const file = dataFiles.translationFile(dataDir, kind, identifier);
      if (!existsSync(file)) linkSync(dataFiles.translationFile(sourceDir, kind, identifier), file);
    }
  };
  for (const identifier of defaultIdentifiers) linkTranslation(identifier);
  const synthetic = identifiersOf(count).slice(defaultIdentifiers.length);
  const originals = synthetic.slice(0, distinct);
  const missing = originals.filter((each) => !existsSync(dataFiles.translationFile(dataDir, studyFileKind, each)));
  const startedAt = performance.now();
  if (missing.length > 0) {
    const corpus = openCorpus(sourceDir);
    const stored = corpus.storedTranslations();
    for (const [index, identifier] of missing.entries())
      await writeTranslationText(dataDir, enciphered(stored[index % stored.length], identifier, 1_000 + index));
    corpus.close();
    await dataFiles.updateCatalogue(dataDir, textKind, silent);
    await buildSearchIndex({ dataDir, log, check: 'headers' });
    await buildConcordanceIndex({ dataDir, log, check: 'headers' });
    await buildStudyData({ dataDir, log, env: process.env, check: 'headers' });
  }
  const secondsEach = (performance.now() - startedAt) / 1_000 / Math.max(missing.length, 1);
  for (const [index, identifier] of synthetic.slice(distinct).entries()) {
    copyTranslation(dataDir, originals[index % originals.length], identifier);
    if (index % 100 === 99) log(`${index + 1} copies`);
  }
  for (const kind of kinds) await dataFiles.updateCatalogue(dataDir, kind, silent);
  return missing.length > 0 ? secondsEach : null;
}

/** Fills a folder with links to the first `count` translations of `dataDir`. */
export async function linkTranslations({ folder, dataDir, count }) {
  mkdirSync(folder, { recursive: true });
  for (const name of sharedFiles) linkSync(join(dataDir, name), join(folder, name));
  for (const identifier of identifiersOf(count)) {
    mkdirSync(dataFiles.translationFolder(folder, identifier), { recursive: true });
    for (const kind of kinds)
      linkSync(
        dataFiles.translationFile(dataDir, kind, identifier),
        dataFiles.translationFile(folder, kind, identifier),
      );
  }
  for (const kind of kinds) {
    // With a copy of the catalogue, updateCatalogue does not have to read the files of all translations.
    copyFileSync(dataFiles.catalogueFile(dataDir, kind), dataFiles.catalogueFile(folder, kind));
    await dataFiles.updateCatalogue(folder, kind, silent);
  }
}

/** Returns the text of eng-web in the format USFX, to import it under another identifier. */
export function usfxOfEngWeb(dataDir) {
  const corpus = openCorpus(dataDir);
  const books = (corpus.translation('eng-web')?.books ?? []).map(({ code, name, chapters }) => {
    const texts = chapters.map((_, index) => {
      const verses = corpus.chapter('eng-web', code, index + 1);
      const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return `<c id="${index + 1}"/><p>${verses.map(({ verse, text }) => `<v id="${verse}"/>${escaped(text)}<ve/>`).join('\n')}</p>`;
    });
    return `<book id="${code}"><h>${name}</h>${texts.join('\n')}</book>`;
  });
  corpus.close();
  return `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode>${books.join('\n')}</usfx>`;
}

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BookCode, chapterEnds, formatPlace, isBookCode, type Numbering, placeOf } from '@lectern/canon';
import {
  readCatalogueIfUsable,
  readCatalogueRows,
  removeTranslationFiles,
  secondsSince,
  translationFile,
  translationFolders,
  updateCatalogue,
} from '@lectern/data-files';
import { defaultTranslations } from './default-translations';
import { withDataLock } from './fetch/modules';
import { digestBooks, findBooks, isOtherArchive, isZip, parseBooks } from './formats/folder';
import { withValidLinks } from './formats/link-target';
import { parseOsis } from './formats/osis';
import { parseUsfx } from './formats/usfx';
import type { ParsedFile } from './formats/verse-collector';
import { unusedLines } from './formats/versification';
import { readRoot } from './formats/xml';
import { parseZefania } from './formats/zefania';
import { openCorpus } from './open-corpus';
import { isRightToLeft, recognizeNumbering } from './recognize';
import { type GivenMetadata, oneLine, resolveMetadata } from './resolve-metadata';
import { openModule, type SwordConf } from './sword/module';
import { importModule } from './sword/translation';
import {
  createEntryParser,
  type StoredTranslation,
  textKind,
  toStoredTranslation,
  writeTranslationText,
} from './text-file';
import { type DraftTranslation, type DraftVerse, describeCounts, describePosition, importError } from './translation';

interface ImportOptions {
  dataDir: string;
  log: (line: string) => void;
  given: GivenMetadata;
  /** Whether to replace a translation with the same identifier. If false, such a translation is an error. */
  replace: boolean;
  /** Whether only keys with a grant may read the translations. A restricted translation stays so when it is replaced. */
  restricted?: boolean | undefined;
}

/** Adds the translations in these files: all of them or, on an error, none. Returns their identifiers. */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<string[]> {
  const { dataDir, log } = options;
  // `translations: []` skips the search for unfinished files, slow with 1,000 translations, which `npm run data` does.
  return withDataLock(dataDir, { log, translations: [] }, async () => {
    const { taken, restricted, unknown } = await readRestrictions(dataDir, log);
    const added = new Map<string, StoredTranslation>();
    for (const file of files) {
      const translation = await readTranslation(file, options);
      const { identifier } = translation.details;
      if (added.has(identifier))
        throw importError(
          `${file}: another of these files is called ${identifier} too; import them one by one with --identifier`,
        );
      if (taken.has(identifier) && !options.replace)
        throw importError(
          defaultTranslations.some((each) => each.identifier === identifier)
            ? `${file}: ${identifier} is the name of a translation that Lectern makes by itself; give this one another with --id, such as --id ${identifier}-own (--replace puts it in place of Lectern's)`
            : `${file}: the corpus has a translation ${identifier} already; --replace puts this one in its place, --id gives it another name`,
        );
      if (unknown.has(identifier) && !options.restricted)
        throw importError(`${file}: ${unknownRestriction(identifier)}`);
      added.set(identifier, translation);
    }
    for (const [identifier, translation] of added) {
      const isRestricted = options.restricted === true || restricted.has(identifier);
      await writeTranslationText(dataDir, withRestriction(translation, isRestricted));
    }
    await updateCatalogue(dataDir, textKind, { log, check: 'sizes', written: [...added.keys()] });
    return [...added.keys()];
  });
}

/** Whether a translation is restricted, as an import must know before it replaces the file that says so. */
interface Restrictions {
  /** The identifiers of the translations in the catalogue, and of the default translations. */
  taken: ReadonlySet<string>;
  /** The identifiers of the translations that only keys with a grant may read. */
  restricted: ReadonlySet<string>;
  /** The identifiers whose files are unusable, so that nobody knows whether they were restricted. */
  unknown: ReadonlySet<string>;
}

/** Updates the catalogue before an import. The caller must hold the folder's lock. */
export async function readRestrictions(dataDir: string, log: (line: string) => void): Promise<Restrictions> {
  // The update drops translations with damaged files from the catalogue, so the catalogue is read before it too.
  const before = restrictedTranslations(dataDir);
  const present = await updateCatalogue(dataDir, textKind, { log, check: 'sizes' });
  const taken = new Set([...present, ...defaultTranslations].map(({ identifier }) => identifier));
  const restricted = new Set([...before, ...restrictedTranslations(dataDir)]);
  const unusable = translationFolders(dataDir).filter((each) => !taken.has(each) && hasTextFile(dataDir, each));
  return { taken, restricted, unknown: new Set(unusable.filter((each) => !restricted.has(each))) };
}

export const unknownRestriction = (identifier: string): string =>
  `the corpus has an unusable file of ${identifier}, so it is not known whether the text was restricted; --restricted imports it as a restricted one, \`npm run corpus -- remove ${identifier}\` lets you import it as a public one`;

const hasTextFile = (dataDir: string, identifier: string): boolean =>
  existsSync(translationFile(dataDir, textKind, identifier));

function restrictedTranslations(dataDir: string): ReadonlySet<string> {
  const listed = readCatalogueIfUsable(dataDir, textKind) ?? [];
  return new Set(listed.filter((row) => createEntryParser()(row).translation.restricted).map((row) => row.identifier));
}

/** Makes a translation restricted or public. Throws an ImportError for the identifier of a default translation. */
export function withRestriction(stored: StoredTranslation, isRestricted: boolean): StoredTranslation {
  const { restricted: _, ...details } = stored.details;
  if (!isRestricted) return { ...stored, details };
  // Search compares the words of every query with those of the default translations.
  if (stored.origin === 'default' || defaultTranslations.some(({ identifier }) => identifier === details.identifier))
    throw importError(
      `${details.identifier} is the name of a translation that Lectern makes by itself, and these are public; import the text with another --identifier`,
    );
  return { ...stored, details: { ...details, restricted: true } };
}

/** Makes an existing translation restricted or public. The next `buildIndexes` writes its indexes again. */
export async function restrictTranslation(
  identifier: string,
  { dataDir, log, isRestricted }: Pick<ImportOptions, 'dataDir' | 'log'> & { isRestricted: boolean },
): Promise<void> {
  await withDataLock(dataDir, { log, translations: [identifier] }, async () => {
    await updateCatalogue(dataDir, textKind, { log, check: 'sizes' });
    const corpus = openCorpus(dataDir, { only: [identifier] });
    try {
      const [stored] = corpus.storedTranslations();
      if (!stored) throw importError(`the corpus has no translation ${identifier}`);
      await writeTranslationText(dataDir, withRestriction(stored, isRestricted));
      await updateCatalogue(dataDir, textKind, { log, check: 'sizes', written: [identifier] });
    } finally {
      corpus.close();
    }
  });
}

async function readTranslation(file: string, { log, given }: ImportOptions): Promise<StoredTranslation> {
  const startedAt = performance.now();
  log(`${file}: reading`);
  const draft = await importSource(file, given);
  const { identifier, verses, source, remarks, findings } = draft;
  const stored = toStoredTranslation(draft, 'import');
  log(`${identifier}: ${verses.length} verses (${source.format}) in ${secondsSince(startedAt)} s`);
  for (const remark of remarks) log(`${identifier}: ${remark}`);
  if (findings.length > 0)
    log(`${identifier}: ${describeCounts(findings)}; \`npm run corpus -- check ${file}\` lists them`);
  return stored;
}

/** A text of which more verses do not exist in any numbering is not a Bible, or has other books than it says. */
const maxUnknownShare = 0.2;
const maxUnknownVerses = 100;

/** A file or folder with a translation. `digest` is a digest of its bytes. */
interface TranslationSource {
  digest: string;
  read: (given: GivenMetadata) => Promise<DraftTranslation>;
}

export const importSource = async (file: string, given: GivenMetadata): Promise<DraftTranslation> =>
  (await openSource(file)).read(given);

/**
 * Opens a translation of any format, which it recognizes by the contents: a SWORD module (a .conf file or a folder
 * with mods.d), books in USFM or USX (a folder, a zip file or a file), or an XML file. If no numbering is given,
 * chooses the one that fits the chapters of the text.
 */
export async function openSource(file: string): Promise<TranslationSource> {
  const { digest, read } = await openAnyFormat(file);
  return {
    digest,
    async read(given) {
      const source = await read(given);
      const draft = isRightToLeft(source.verses) ? { ...source, direction: 'RTL' as const } : source;
      for (const verse of draft.verses) checkLayout(verse, draft);
      if (given.numbering !== undefined) return withNumberingFindings(draft);
      const { numbering, remark } = recognizeNumbering(draft.verses, draft.numbering, draft.versification);
      const unknown = draft.verses.filter(({ ordinal }) => {
        const { book, chapter, verse } = placeOf(ordinal);
        return verse > (chapterEnds(numbering, book)[chapter - 1] ?? 0);
      }).length;
      if (unknown > Math.max(maxUnknownVerses, draft.verses.length * maxUnknownShare))
        throw importError(
          `${file}: ${unknown} of ${draft.verses.length} verses are no verses of the Bible, so its books have wrong names or numbers; say --numbering to import it all the same`,
        );
      return withNumberingFindings({
        ...draft,
        numbering,
        remarks: [...draft.remarks, ...(remark === null ? [] : [remark])],
      });
    },
  };
}

const withNumberingFindings = (draft: DraftTranslation): DraftTranslation =>
  withValidLinks({ ...draft, findings: [...draft.findings, ...unusedLines(draft)] });

/** The maximum length of a verse's notes and headings, in UTF-16 units. The World English Bible needs 414. */
const maxLayoutLength = 100_000;

/** Throws an ImportError if the notes and headings of a verse are longer than `maxLayoutLength`. */
function checkLayout({ ordinal, layout }: DraftVerse, { positions, source }: DraftTranslation): void {
  const length = [...layout.notes, ...layout.headings].reduce((sum, { text }) => sum + text.length + 20, 0);
  if (length <= maxLayoutLength) return;
  const where = describePosition(positions.get(ordinal) ?? { file: source.name, line: null });
  throw importError(
    `${where}: the notes and headings of ${formatPlace(placeOf(ordinal))} have more than ${maxLayoutLength} characters; shorten them, or leave them out`,
  );
}

async function openAnyFormat(file: string): Promise<TranslationSource> {
  if (!existsSync(file)) throw importError(`${file} does not exist`);
  const isFolder = statSync(file).isDirectory();
  const conf = isFolder && existsSync(join(file, 'mods.d')) ? confIn(file) : file.endsWith('.conf') ? file : null;
  if (conf !== null) {
    const { digest, conf: values } = openModule(conf);
    return { digest, read: async (given) => readModule(conf, values, given) };
  }
  const books = await findBooks(file);
  if (books) {
    const digest = digestBooks(books);
    return {
      digest,
      read: async (given) => toDraft(file, given, await parseBooks(file, books, given), books.format, digest),
    };
  }
  if (isFolder)
    throw importError(`${file} is a folder without books in USFM, USX or OSIS and without a SWORD module (mods.d)`);
  if (isZip(file))
    throw importError(
      `${file} is a zip file without books in USFM, USX or OSIS; if it holds another format, unpack it`,
    );
  if (isOtherArchive(file))
    throw importError(`${file} is an archive of a kind that is not read, or empty; unpack it, and import the folder`);
  const digest = await digestFile(file);
  return { digest, read: (given) => importXml(file, given, digest) };
}

/** Lectern's numbering for each versification of SWORD, by its name. */
const numberingOf: Readonly<Record<string, Numbering>> = {
  german: 'luther',
  leningrad: 'hebrew',
  luther: 'luther',
  lxx: 'septuagint',
  mt: 'hebrew',
  nrsv: 'nrsv',
  nrsva: 'nrsv',
  orthodox: 'septuagint',
  segond: 'segond',
  synodal: 'synodal',
  synodalprot: 'synodal-protestant',
  vulg: 'vulgate',
};

function readModule(confFile: string, conf: SwordConf, given: GivenMetadata): DraftTranslation {
  const found = {
    name: conf.get('Description'),
    abbrev: conf.get('Abbreviation'),
    language: conf.get('Lang'),
    licence: conf.get('DistributionLicense'),
    direction: conf.get('Direction'),
    numbering: numberingOf[conf.get('Versification').toLowerCase()] ?? 'standard',
    note: [...new Set([conf.get('DistributionLicense'), conf.get('ShortCopyright') || conf.get('Copyright')])]
      .filter((text) => text !== '')
      .join('. '),
  };
  const { metadata, remarks } = resolveMetadata(conf.module, found, given);
  const draft = importModule(confFile, metadata, true);
  return { ...draft, remarks: [...draft.remarks, ...remarks] };
}

/** Finds the only .conf file of a folder like /usr/share/sword. */
function confIn(folder: string): string {
  const mods = join(folder, 'mods.d');
  const files = readdirSync(mods).filter((name) => name.endsWith('.conf'));
  const [only] = files;
  if (only === undefined) throw importError(`${folder} holds no SWORD module (mods.d/*.conf)`);
  if (files.length > 1)
    throw importError(
      `${folder} holds ${files.length} modules; name one of ${files.map((name) => join(mods, name)).join(', ')}`,
    );
  return join(mods, only);
}

/** Removes the text of an imported translation. The next `buildIndexes` removes its indexes. */
export async function removeTranslation(
  identifier: string,
  { dataDir, log }: Pick<ImportOptions, 'dataDir' | 'log'>,
): Promise<void> {
  await withDataLock(dataDir, { log, translations: [identifier] }, async () => {
    await updateCatalogue(dataDir, textKind, { log, check: 'sizes' });
    const [removed] = readCatalogueRows(dataDir, textKind, [identifier]);
    // An unusable file is in no catalogue. The folder is looked up by its name, because an identifier may be a path.
    if (!removed && !(translationFolders(dataDir).includes(identifier) && hasTextFile(dataDir, identifier)))
      throw importError(`the corpus has no translation ${identifier}`);
    const isDefault = removed
      ? createEntryParser()(removed).origin === 'default'
      : defaultTranslations.some((each) => each.identifier === identifier);
    if (isDefault)
      throw importError(`${identifier} is one of the translations that Lectern makes by itself, and cannot be removed`);
    await removeTranslationFiles(dataDir, textKind, [identifier], { log, check: 'sizes' });
  });
}

const formats = new Map([
  ['usfx', { name: 'USFX', parse: parseUsfx }],
  ['osis', { name: 'OSIS', parse: parseOsis }],
  ['xmlbible', { name: 'Zefania', parse: parseZefania }],
  ['bible', { name: 'Beblia', parse: parseZefania }],
]);

/** Imports one XML file, whose root element decides the format. */
export async function importXml(file: string, given: GivenMetadata, digest: string): Promise<DraftTranslation> {
  const root = await readRoot(file, given);
  const format = formats.get(root.toLowerCase());
  if (!format)
    throw importError(
      `${file} is not a Bible file: its root element is <${root}>; USFX (<usfx>), OSIS (<osis>), Zefania (<XMLBIBLE>), Beblia (<bible>), USX (<usx>) and USFM (\\id) are supported`,
    );
  return toDraft(file, given, await format.parse(file, given), format.name, digest);
}

function toDraft(
  file: string,
  given: GivenMetadata,
  { found, remarks, bookNames, ...parsed }: ParsedFile,
  format: string,
  digest: string,
): DraftTranslation {
  const { metadata, remarks: metadataRemarks } = resolveMetadata(basename(file), found, given);
  const { versification } = found;
  if (given.names !== undefined && ['eng', 'spa'].includes(metadata.language))
    throw importError(`--names is not for ${metadata.language}, for which Lectern has names of its own`);
  return {
    ...metadata,
    ...parsed,
    bookNames: new Map([...bookNames, ...(given.names === undefined ? [] : readBookNames(given.names))]),
    ...(versification && { versification }),
    remarks: [...remarks, ...metadataRemarks],
    source: { format, name: basename(file), version: null, digest },
  };
}

/** Reads a file of names, each line with the USFM code of a book, a blank or a tab, and the name. */
function readBookNames(file: string): [BookCode, string][] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  return lines.flatMap((line, index): [BookCode, string][] => {
    const [code = '', ...name] = oneLine(line).split(' ');
    if (isBookCode(code) && name.length > 0) return [[code, name.join(' ')]];
    if (code === '') return [];
    throw importError(`${file}, line ${index + 1}: write the code of a book and its name, such as "GEN 1. Mose"`);
  });
}

async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

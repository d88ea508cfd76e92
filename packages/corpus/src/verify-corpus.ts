import { corpusFile } from './build-corpus';
import { defaultTranslations } from './default-translations';
import { findModule } from './fetch/find-modules';
import { textModule } from './fetch/text-module';
import { type Corpus, openCorpus } from './open-corpus';
import { type StoredTranslation, toStoredTranslation } from './stored-translation';
import { importModule } from './sword/import-module';
import { openModule } from './sword/open-module';
import { createCorpusHash, createTranslationHash } from './translation-digest';

export interface Check {
  subject: string;
  /** Null when all is well. */
  fault: string | null;
  detail: string;
}

export interface VerifyOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** Opens the corpus (which holds it to its checksum), then holds every translation to its digest, its count and its source. */
export function verifyCorpus(options: VerifyOptions): Check[] {
  const corpus = openCorpus(corpusFile(options.dataDir));
  try {
    const hash = createCorpusHash();
    const checks = corpus.storedTranslations().flatMap((stored) => {
      const digest = digestOf(stored);
      hash.add(stored.details.identifier, digest);
      return checkTranslation(stored, digest, options);
    });
    const digest = hash.digest();
    const fault =
      digest === corpus.manifest.digest
        ? null
        : `its contents have digest ${digest}, the manifest says ${corpus.manifest.digest}`;
    return [
      ...checks,
      {
        subject: 'corpus',
        fault,
        detail: `${corpus.translations.length} translations, digest ${digest}, built ${corpus.manifest.builtAt}`,
      },
    ];
  } finally {
    corpus.close();
  }
}

type Stored = ReturnType<Corpus['storedTranslations']>[number];

function checkTranslation(stored: Stored, digest: string, options: VerifyOptions): Check[] {
  const { details } = stored;
  const { identifier, verseCount } = details;
  const shaped = stored.books.reduce(
    (sum, { chapters }) => sum + chapters.reduce((verses, chapter) => verses + chapter.length, 0),
    0,
  );
  const contents =
    digest !== stored.digest || shaped !== verseCount ? 'its verses are not those that were imported' : null;
  const known = defaultTranslations.find(
    (translation) => translation.module === details.source.name && translation.digest === details.source.digest,
  );
  const count =
    known && known.verseCount !== verseCount
      ? `${verseCount} verses, where ${known.module} ${known.version} has ${known.verseCount}`
      : null;
  const own: Check = {
    subject: identifier,
    fault: contents ?? count,
    detail: `${verseCount} verses${known ? ', the known count' : ''}`,
  };
  return stored.origin === 'import' ? [own] : [own, ...checkSource(stored, digest, options)];
}

function checkSource(stored: Stored, digest: string, options: VerifyOptions): Check[] {
  const translation = defaultTranslations.find(({ identifier }) => identifier === stored.details.identifier);
  const conf = translation && findModule(textModule(translation), options);
  if (!translation || !conf) return [];
  const subject = `${translation.identifier} against ${conf}`;
  const {
    module,
    debianPackage: _package,
    version: _version,
    digest: _digest,
    verseCount: _count,
    ...labels
  } = translation;
  if (openModule(conf).digest !== stored.details.source.digest)
    return [
      {
        subject,
        fault: `the module's files are others than those it was built from: run \`npm run data\``,
        detail: '',
      },
    ];
  options.log(`importing ${module} once more to compare`);
  const again = digestOf(toStoredTranslation(importModule(conf, labels), 'default'));
  return [{ subject, fault: again === digest ? null : 'the module imports to another text', detail: 'the same text' }];
}

function digestOf({ details, books, verses }: StoredTranslation): string {
  const hash = createTranslationHash(details, books);
  for (const { ordinal, text, tags } of verses) hash.add(ordinal, text, tags);
  return hash.digest();
}

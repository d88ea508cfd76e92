import { corpusFile } from './build';
import { createCorpusHash, createEditionHash } from './content-digest';
import { defaultEditions } from './default-editions';
import { findModule } from './fetch/module-source';
import { textModule } from './fetch/text-module';
import { type Corpus, openCorpus } from './reader';
import { type StoredEdition, storeDraft } from './stored-edition';
import { importModule } from './sword/import-module';
import { openModule } from './sword/module';

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

/** Opens the corpus (which holds it to its checksum), then holds every edition to its digest, its count and its source. */
export function verifyCorpus(options: VerifyOptions): Check[] {
  const corpus = openCorpus(corpusFile(options.dataDir));
  try {
    const hash = createCorpusHash();
    const checks = corpus.stored().flatMap((stored) => {
      const digest = digestOf(stored);
      hash.add(stored.details.identifier, digest);
      return checkEdition(stored, digest, options);
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
        detail: `${corpus.editions.length} editions, digest ${digest}, built ${corpus.manifest.builtAt}`,
      },
    ];
  } finally {
    corpus.close();
  }
}

type Stored = ReturnType<Corpus['stored']>[number];

function checkEdition(stored: Stored, digest: string, options: VerifyOptions): Check[] {
  const { details } = stored;
  const { identifier, verseCount } = details;
  const shaped = stored.books.reduce(
    (sum, { chapters }) => sum + chapters.reduce((verses, chapter) => verses + chapter.length, 0),
    0,
  );
  const contents =
    digest !== stored.digest || shaped !== verseCount ? 'its verses are not those that were imported' : null;
  const known = defaultEditions.find(
    (edition) => edition.module === details.source.name && edition.digest === details.source.digest,
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
  const edition = defaultEditions.find(({ identifier }) => identifier === stored.details.identifier);
  const conf = edition && findModule(textModule(edition), options);
  if (!edition || !conf) return [];
  const subject = `${edition.identifier} against ${conf}`;
  const {
    module,
    debianPackage: _package,
    version: _version,
    digest: _digest,
    verseCount: _count,
    ...labels
  } = edition;
  if (openModule(conf).digest !== stored.details.source.digest)
    return [
      {
        subject,
        fault: `the module's files are others than those it was built from: run \`npm run data\``,
        detail: '',
      },
    ];
  options.log(`importing ${module} once more to compare`);
  const again = digestOf(storeDraft(importModule(conf, labels), 'default'));
  return [{ subject, fault: again === digest ? null : 'the module imports to another text', detail: 'the same text' }];
}

function digestOf({ details, books, verses }: StoredEdition): string {
  const hash = createEditionHash(details, books);
  for (const { ordinal, text, tags } of verses) hash.add(ordinal, text, tags);
  return hash.digest();
}

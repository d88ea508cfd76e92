import { defaultTranslations, moduleOfTranslation } from './default-translations';
import { type FetchOptions, findModule } from './fetch/modules';
import { type Corpus, openCorpus } from './open-corpus';
import { openModule } from './sword/module';
import { importModule } from './sword/translation';
import { digestTranslation, toStoredTranslation } from './text-file';

interface Check {
  subject: string;
  /** The error message. Null if the check passed. */
  failure: string | null;
  detail: string;
}

/**
 * Verifies every translation. Also imports the SWORD modules on this machine again, and compares them with the stored
 * default translations. Throws an error if the catalogue cannot be opened.
 */
export function verifyCorpus(options: FetchOptions): Check[] {
  const unusable: string[] = [];
  const corpus = openCorpus(options.dataDir, { report: (line) => unusable.push(line) });
  try {
    const checks = corpus.storedTranslations().flatMap((stored) => {
      const digest = digestTranslation(stored);
      const contents = checkContents(stored, digest);
      return stored.origin === 'import' ? [contents] : [contents, ...checkSource(stored, digest, options)];
    });
    const detail = `${corpus.translations.length} translations, dataset version ${corpus.datasetVersion()}`;
    return [
      ...checks,
      ...unusable.map((failure) => ({ subject: 'corpus', failure, detail: '' })),
      { subject: 'corpus', failure: null, detail },
    ];
  } finally {
    corpus.close();
  }
}

type Stored = ReturnType<Corpus['storedTranslations']>[number];

/** Compares a translation with its stored digest, its list of books and, if known, its number of verses. */
function checkContents(stored: Stored, digest: string): Check {
  const { identifier, verseCount, source } = stored.details;
  const known = defaultTranslations.find((each) => each.module === source.name && each.digest === source.digest);
  const detail = `${verseCount} verses${known ? ', the known count' : ''}`;
  let failure: string | null = null;
  if (digest !== stored.digest || stored.books.flatMap(({ chapters }) => chapters).flat().length !== verseCount)
    failure = 'its verses or documents are not those that were imported';
  else if (known && known.verseCount !== verseCount)
    failure = `${verseCount} verses, where ${known.module} ${known.version} has ${known.verseCount}`;
  return { subject: identifier, failure, detail };
}

/**
 * Imports the module of a default translation again, and compares it with the stored text. Returns no checks if the
 * module is not on this machine.
 */
function checkSource(stored: Stored, digest: string, options: FetchOptions): Check[] {
  const translation = defaultTranslations.find(({ identifier }) => identifier === stored.details.identifier);
  const conf = translation && findModule(moduleOfTranslation(translation), options);
  if (!translation || !conf) return [];
  const subject = `${translation.identifier} against ${conf}`;
  if (openModule(conf).digest !== stored.details.source.digest) {
    const failure = "the module's files differ from those it was built from: run `npm run data`";
    return [{ subject, failure, detail: '' }];
  }
  options.log(`importing ${translation.module} once more to compare`);
  const imported = digestTranslation(toStoredTranslation(importModule(conf, translation), 'default'));
  const failure = imported === digest ? null : 'the module imports to another text';
  return [{ subject, failure, detail: 'the same text' }];
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { corpusFile, importerVersion, readStoredTranslations } from './build-corpus';
import { withDataLock } from './data-lock';
import { defaultTranslations } from './default-translations';
import { importXml } from './formats/import-xml';
import { importError } from './import-error';
import { type StoredTranslation, toStoredTranslation } from './stored-translation';
import { importModule } from './sword/import-module';
import { readConf } from './sword/module-conf';
import type { DraftTranslation } from './translation';
import { type GivenLabels, resolveLabels } from './translation-labels';
import { writeCorpus } from './write-corpus';

export interface ImportOptions {
  dataDir: string;
  log: (line: string) => void;
  given: GivenLabels;
  /** A translation of the same identifier is replaced instead of being an error. */
  replace: boolean;
  now?: () => Date;
}

/** Adds translations to the corpus: all of the files or none. Gives the identifiers of what was added. */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<string[]> {
  const { dataDir, log, given, replace, now = () => new Date() } = options;
  return withDataLock(dataDir, { log }, async () => {
    const old = readStoredTranslations(corpusFile(dataDir));
    try {
      const taken = new Set([
        ...old.translations.map(({ details }) => details.identifier),
        ...defaultTranslations.map(({ identifier }) => identifier),
      ]);
      const added = new Map<string, StoredTranslation>();
      for (const file of files) {
        const started = performance.now();
        log(`${file}: reading`);
        const draft = await importOne(file, given);
        const { identifier } = draft;
        if (added.has(identifier))
          throw importError(
            `${file}: another of these files is called ${identifier} too; import them one by one with --identifier`,
          );
        if (taken.has(identifier) && !replace)
          throw importError(
            `${file}: the corpus has a translation ${identifier} already; --replace puts this one in its place, --identifier gives it another name`,
          );
        added.set(identifier, toStoredTranslation(draft, 'import'));
        log(
          `${identifier}: ${draft.verses.length} verses (${draft.source.format}) in ${((performance.now() - started) / 1000).toFixed(1)} s`,
        );
        for (const remark of draft.remarks) log(`${identifier}: ${remark}`);
      }
      const kept = old.translations.filter(({ details }) => !added.has(details.identifier));
      await writeCorpus(corpusFile(dataDir), [...kept, ...added.values()], { now, importer: importerVersion });
      return [...added.keys()];
    } finally {
      old.close();
    }
  });
}

/** A folder or a .conf is a SWORD module; any other file is XML. */
async function importOne(file: string, given: GivenLabels): Promise<DraftTranslation> {
  if (!existsSync(file)) throw importError(`${file} does not exist`);
  const conf = statSync(file).isDirectory() ? confIn(file) : file.endsWith('.conf') ? file : null;
  if (conf === null) return importXml(file, given);
  const parsed = readConf(conf);
  if (!parsed) throw importError(`${conf} is no SWORD configuration: it has no [Module] line`);
  const found = {
    name: parsed.get('Description'),
    abbrev: parsed.get('Abbreviation'),
    language: parsed.get('Lang'),
    note: [parsed.get('DistributionLicense'), parsed.get('ShortCopyright') || parsed.get('Copyright')]
      .filter((text, index, all) => text !== '' && all.indexOf(text) === index)
      .join('. '),
  };
  const { labels, remarks } = resolveLabels(parsed.module, found, given);
  const draft = importModule(conf, {
    ...labels,
    direction: /^RtoL$/i.test(parsed.get('Direction')) ? 'RTL' : labels.direction,
  });
  return { ...draft, remarks: [...draft.remarks, ...remarks] };
}

function confIn(folder: string): string {
  const mods = join(folder, 'mods.d');
  const files = existsSync(mods) ? readdirSync(mods).filter((name) => name.endsWith('.conf')) : [];
  const [only] = files;
  if (only === undefined) throw importError(`${folder} is a folder without a SWORD module (mods.d/*.conf)`);
  if (files.length > 1)
    throw importError(
      `${folder} holds ${files.length} modules; name one of ${files.map((name) => join(mods, name)).join(', ')}`,
    );
  return join(mods, only);
}

/** Takes an imported translation out of the corpus. */
export async function removeTranslation(
  identifier: string,
  { dataDir, log, now = () => new Date() }: Omit<ImportOptions, 'given' | 'replace'>,
): Promise<void> {
  await withDataLock(dataDir, { log }, async () => {
    const old = readStoredTranslations(corpusFile(dataDir));
    try {
      const translation = old.translations.find(({ details }) => details.identifier === identifier);
      if (!translation) throw importError(`the corpus has no translation ${identifier}`);
      if (translation.origin === 'default')
        throw importError(`${identifier} is one of the translations that every corpus holds, and cannot be removed`);
      await writeCorpus(
        corpusFile(dataDir),
        old.translations.filter((other) => other !== translation),
        { now, importer: importerVersion },
      );
    } finally {
      old.close();
    }
  });
}

import { buildDefaultTranslations, corpusFile, isUpToDate, requiredDefaults } from './build-corpus';
import type { Command } from './command';
import { withDataLock } from './data-lock';
import { fetchSources } from './fetch/fetch-sources';
import { importFiles, removeTranslation } from './import-files';
import { openCorpus } from './open-corpus';
import { verifyCorpus } from './verify-corpus';

export const fetchCommand: Command = {
  name: 'fetch',
  usage: 'fetch',
  summary: 'Gets the SWORD modules of the default translations, unless they are installed.',
  options: {},
  arity: [0, 0],
  async run({ dataDir, env, json, out, log }) {
    const sources = await withDataLock(dataDir, { log }, () =>
      fetchSources(requiredDefaults(corpusFile(dataDir)), { dataDir, env, log }),
    );
    if (json) out(JSON.stringify(Object.fromEntries(sources), null, 2));
    else for (const [module, conf] of sources) out(`${module}  ${conf}`);
    return 0;
  },
};

export const buildCommand: Command = {
  name: 'build',
  usage: 'build [--force]',
  summary: 'Makes the corpus from its sources, fetching them where needed; no work when it is up to date.',
  options: { force: ['', 'build even when nothing has changed'] },
  arity: [0, 0],
  async run({ dataDir, env, flag, json, out, log }) {
    const file = corpusFile(dataDir);
    return withDataLock(dataDir, { log }, async () => {
      const sources = await fetchSources(requiredDefaults(file), { dataDir, env, log });
      const fresh = !flag('force') && isUpToDate(sources, dataDir);
      if (fresh) log(`${file} is up to date`);
      else await buildDefaultTranslations(sources, { dataDir, log });
      if (json) out(JSON.stringify({ file, built: !fresh }));
      return 0;
    });
  },
};

export const importCommand: Command = {
  name: 'import',
  usage: 'import FILE... [options]',
  summary: 'Adds translations: USFX, OSIS or Zefania XML files, or SWORD modules (a .conf, or a folder with mods.d).',
  options: {
    identifier: [
      'ID',
      'what the translation is called, such as deu-luther (default: the file name before its first dot)',
    ],
    name: ['TEXT', 'its full name (default: what the file says)'],
    abbrev: ['TEXT', 'its short name'],
    language: ['CODE', 'ISO 639-3, such as eng (default: what the file says)'],
    note: ['TEXT', 'licence or attribution'],
    numbering: ['NAME', 'standard (the default) or rv1909: which numbers its verses bear'],
    replace: ['', 'take the place of a translation of the same identifier'],
  },
  arity: [1, 1000],
  async run({ dataDir, args, option, flag, json, out, log }) {
    if (args.length > 1 && (option('identifier') ?? option('name') ?? option('abbrev')) !== undefined) {
      log('corpus import: --identifier, --name and --abbrev are for one file at a time');
      return 2;
    }
    const given = {
      identifier: option('identifier'),
      name: option('name'),
      abbrev: option('abbrev'),
      language: option('language'),
      note: option('note'),
      numbering: option('numbering'),
    };
    const added = await importFiles(args, { dataDir, log, given, replace: flag('replace') });
    if (json) out(JSON.stringify({ added }));
    else out(`added ${added.join(', ')} to ${corpusFile(dataDir)}`);
    return 0;
  },
};

export const listCommand: Command = {
  name: 'list',
  usage: 'list',
  summary: 'Shows the translations of the corpus.',
  options: {},
  arity: [0, 0],
  async run({ dataDir, json, out }) {
    const corpus = openCorpus(corpusFile(dataDir));
    try {
      const translations = corpus.storedTranslations().map(({ origin, details }) => ({ ...details, origin }));
      if (json) out(JSON.stringify({ manifest: corpus.manifest, translations }, null, 2));
      else
        for (const translation of translations) {
          const marks = [
            translation.complete ? 'complete' : 'partial',
            translation.hasStrongsTagging ? "Strong's" : '',
            translation.origin === 'import' ? 'imported' : '',
          ].filter((mark) => mark !== '');
          const { format, name, version } = translation.source;
          out(
            [
              translation.identifier.padEnd(16),
              String(translation.verseCount).padStart(6),
              translation.language,
              translation.name,
              `(${marks.join(', ')}; ${format} ${name}${version ? ` ${version}` : ''})`,
            ].join('  '),
          );
        }
      return 0;
    } finally {
      corpus.close();
    }
  },
};

export const removeCommand: Command = {
  name: 'remove',
  usage: 'remove IDENTIFIER',
  summary: 'Takes an imported translation out of the corpus.',
  options: {},
  arity: [1, 1],
  async run({ dataDir, args, json, out, log }) {
    const [identifier = ''] = args;
    await removeTranslation(identifier, { dataDir, log });
    out(json ? JSON.stringify({ removed: identifier }) : `removed ${identifier}`);
    return 0;
  },
};

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'verify',
  summary: 'Reads all of the corpus and compares it with its digests, the known counts, and the sources that are here.',
  options: {},
  arity: [0, 0],
  async run({ dataDir, env, json, out, log }) {
    const checks = verifyCorpus({ dataDir, env, log });
    if (json) out(JSON.stringify(checks, null, 2));
    else
      for (const { subject, fault, detail } of checks)
        out(`${fault === null ? 'ok  ' : 'BAD '} ${subject}: ${fault ?? detail}`);
    return checks.every(({ fault }) => fault === null) ? 0 : 1;
  },
};

import { join } from 'node:path';
import { updateCatalogue } from '@lectern/data-files';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { buildDefaultTranslations, requiredDefaults, staleDefaults } from './build';
import { defaultJobs } from './build-indexes';
import { type CatalogueReport, importCatalogue, isCatalogueList, readCatalogue } from './catalogue';
import { addCheck, keepGoingOption, numberingOption } from './check';
import { type ExportFormat, exportFormats, exportText } from './export';
import { fetchSources } from './fetch/fetch-sources';
import { type FetchOptions, withDataLock } from './fetch/modules';
import { importFiles, removeTranslation, restrictTranslation } from './import';
import { buildOfflinePackages } from './offline/build';
import { exportPackages, readOfflineTranslations } from './offline/package-list';
import { isCorpusError, openCorpus } from './open-corpus';
import type { GivenMetadata } from './resolve-metadata';
import { textKind } from './text-file';
import { isImportError, isSystemError, type TranslationDetails } from './translation';

interface CommandIo {
  stdout: Pick<NodeJS.WritableStream, 'write'>;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
  env: NodeJS.ProcessEnv;
  /** The folders with installed SWORD modules. By default those of the system. */
  swordRoots?: readonly string[];
  /** Writes the verse vectors of translations, by default all, to a folder. Resolves with the translations. */
  exportVectors?: (options: {
    folder: string;
    dataDir: string;
    translations: readonly string[] | undefined;
    log: Context['log'];
  }) => Promise<readonly string[]>;
  /** Builds the indexes after a command that may change texts, at most `jobs` at once (undefined without --jobs). */
  onTextsChanged?: (options: { dataDir: string; jobs: number | undefined; log: Context['log'] }) => Promise<void>;
}

interface CommonOptions {
  data?: string;
  json?: boolean;
  jobs?: number;
  dryRun?: boolean;
}

interface ExportOptions extends CommonOptions {
  format?: ExportFormat | 'vectors';
  translation?: string[];
}

interface Context extends FetchOptions {
  /** Writes the results to stdout: `json` with the option --json, otherwise `lines`. */
  print: (json: string, lines: readonly string[]) => void;
}

/** The exit code for a command line that cannot be parsed, or whose options contradict each other. */
const usageExitCode = 2;
const maxFilesPerImport = 1_000;

const jobsOption: [string, string, (text: string) => number] = [
  '--jobs <N>',
  'how many translations are indexed at the same time (default: the number of cores)',
  (text) => {
    const jobs = Number(text);
    if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 256) return jobs;
    throw new InvalidArgumentError('It must be a whole number from 1 to 256.');
  },
];

/** Runs one command line. Returns the exit code: 0 success, 1 failure, 2 a usage error. */
export async function runCorpusCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io, (code = 1) => {
    exitCode = code;
  });
  const names = program.commands.map((command) => command.name());
  const label = names.some((name) => name === argv[0]) ? `corpus ${argv[0]}` : 'corpus';
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // After `--help` or without a command, commander has already written the help text.
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.help') return usageExitCode;
      const hint =
        error.code === 'commander.unknownCommand' ? `; the commands are: ${names.join(', ')}` : `; see ${label} --help`;
      io.stderr.write(`${label}: ${error.message.replace(/^error: |\.$/g, '')}${hint}\n`);
      return usageExitCode;
    }
    if (!isImportError(error) && !isCorpusError(error) && !isSystemError(error)) throw error;
    io.stderr.write(`${label}: ${error.message}\n`);
    return 1;
  }
}

/** Creates the command line program. If a command fails, it calls `fail` with the exit code, which is 1 by default. */
function createProgram(io: CommandIo, fail: (exitCode?: number) => void): Command {
  const program = new Command('npm run corpus --')
    .description('Imports the Bible texts that all services read, one folder in data/translations for each.')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Prevents commander from printing errors, because `runCorpusCommand` prints each error in one line.
      outputError: () => undefined,
    });

  const contextOf = ({ data, json }: CommonOptions): Context => ({
    dataDir: data ?? (io.env['LECTERN_DATA'] || 'data'),
    env: io.env,
    swordRoots: io.swordRoots,
    print: (text, lines) => {
      for (const line of json ? [text] : lines) io.stdout.write(`${line}\n`);
    },
    log: (line) => io.stderr.write(`${line}\n`),
  });
  const changeTexts = async (options: CommonOptions, action: (context: Context) => Promise<void>): Promise<void> => {
    const context = contextOf(options);
    await action(context);
    if (!options.dryRun) await io.onTextsChanged?.({ dataDir: context.dataDir, jobs: options.jobs, log: context.log });
  };
  const addCommand = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--data <folder>', 'folder of the translations and the sources (default: LECTERN_DATA, else data)')
      .option('--json', 'print results as JSON');

  addCommand(
    'build',
    'Imports the default translations and downloads missing sources. Skips translations that are up to date.',
  )
    .option('--force', 'build even if nothing has changed')
    .option(...jobsOption)
    .action(({ force = false, ...options }: CommonOptions & { force?: boolean }) =>
      changeTexts(options, (context) => buildDefaults(context, force)),
    );
  addImport(addCommand, changeTexts, fail);
  addCheck(addCommand, contextOf, fail);
  addCommand('list', 'Lists the translations of the corpus.').action((options: CommonOptions) =>
    listTexts(contextOf(options)),
  );
  addCommand('remove', 'Removes an imported translation from the corpus.')
    .argument('<identifier>')
    .action((identifier: string, options: CommonOptions) =>
      changeTexts(options, async ({ dataDir, print, log }) => {
        await removeTranslation(identifier, { dataDir, log });
        print(JSON.stringify({ removed: identifier }), [`removed ${identifier}`]);
      }),
    );
  addCommand(
    'restrict',
    'Lets only API keys with a grant read an imported translation, and removes its offline packages. A service needs no restart.',
  )
    .argument('<identifier>')
    .option('--off', 'let every key read it again')
    .action((identifier: string, { off = false, ...options }: CommonOptions & { off?: boolean }) =>
      changeTexts(options, async ({ dataDir, print, log }) => {
        await restrictTranslation(identifier, { dataDir, log, isRestricted: !off });
        const state = off ? 'public' : 'restricted';
        print(JSON.stringify({ [state]: identifier }), [`${identifier} is ${state}`]);
      }),
    );
  addCommand(
    'export',
    'Copies the offline packages to a folder for a web server, a bucket or a CDN, and lists them in offline/index.json. Brings the packages up to date first. With --format: writes texts to a folder for each translation, with a file for each book. With --format vectors: writes the vectors of the verses there.',
  )
    .argument('<folder>')
    .addOption(
      new Option('--format <format>', 'write texts or vectors instead of offline packages').choices([
        ...exportFormats,
        'vectors',
      ]),
    )
    .option('--translation <identifier...>', 'with --format: the translations (default: all)')
    .option(...jobsOption)
    .action(async (folder: string, options: ExportOptions, command: Command) => {
      if (options.format === 'vectors') {
        const { dataDir, print, log } = contextOf(options);
        const exported = await io.exportVectors?.({ folder, dataDir, translations: options.translation, log });
        const json = JSON.stringify({ folder, format: options.format, translations: exported });
        return print(json, [`the vectors of ${exported?.join(', ')} are in ${folder}`]);
      }
      if (options.format) return exportTexts(folder, options.format, options.translation, contextOf(options));
      if (options.translation) command.error('--translation needs --format; OFFLINE_TRANSLATIONS selects packages');
      return exportTo(folder, options.jobs, contextOf(options));
    });
  return program;
}

function addImport(
  addCommand: (name: string, description: string) => Command,
  changeTexts: (options: CommonOptions, action: (context: Context) => Promise<void>) => Promise<void>,
  fail: () => void,
): void {
  type ImportOptions = CommonOptions & GivenMetadata & { replace?: boolean; each?: boolean; restricted?: boolean };
  addCommand(
    'import',
    'Adds translations: books in USFM or USX (a folder, a zip file or a file), USFX, OSIS, Zefania or Beblia XML files, OSIS with a file for each book (a folder or a zip file), or SWORD modules (a .conf file, or a folder with mods.d). A list of translations (.tsv) or a folder with --each is a catalogue: what is new or changed is imported, several at a time, and what cannot be imported is reported.',
  )
    .argument('<file...>')
    .option(
      '--id, --identifier <id>',
      'identifier, such as deu-luther (default: the name of the file or folder up to its first dot)',
    )
    .option('--name <text>', 'full name (default: the title in the file)')
    .option('--abbrev <text>', 'short name')
    .option('--language <code>', 'ISO 639-3 code, such as eng (default: the language in the file)')
    .option('--note <text>', 'licence or attribution, shown to readers')
    .option(
      '--licence <code>',
      "PD for the public domain, or an SPDX identifier such as CC-BY-SA-4.0 (default: the source's)",
    )
    .option('--licence-holder <text>', 'holder of the rights')
    .option('--licence-url <url>', 'address of the terms')
    .option('--licence-max-verses <n>', 'maximum number of verses that may be quoted without another permission')
    .option(...numberingOption)
    .option(...keepGoingOption)
    .option('--names <file>', 'names of books, each line with a USFM code and a name, such as "GEN 1. Mose"')
    .option('--restricted', 'only API keys with a grant may read the text: `npm run keys -- grant`')
    .option('--replace', 'replace a translation of the same identifier')
    .option('--each', 'take each file and folder of the folder for a translation')
    .option('--dry-run', 'with a catalogue: say what would be imported, and change nothing')
    .option(...jobsOption)
    .action((files: string[], options: ImportOptions, command: Command) => {
      const { data, json, jobs, dryRun = false, replace = false, each = false, restricted, ...given } = options;
      const [path = ''] = files;
      if (each || files.some(isCatalogueList)) {
        const isDefault = (name: string): boolean => name === 'language' || name === 'keepGoing';
        if (files.length > 1 || !Object.keys(given).every(isDefault))
          command.error(
            'a catalogue is imported alone, and names the details of its translations in its columns; of these options, --language, --keep-going and --restricted are for all',
          );
        return changeTexts({ data, json, jobs, dryRun }, async ({ dataDir, print, log }) => {
          const report = await importCatalogue(readCatalogue(path, given), {
            dataDir,
            jobs: jobs ?? defaultJobs(),
            isDryRun: dryRun,
            replace,
            restricted,
            log,
          });
          print(JSON.stringify(report, null, 2), describeReport(report, dryRun));
          if (report.rejected.length > 0) fail();
        });
      }
      if (dryRun) command.error('--dry-run is for a catalogue; `corpus check` examines one translation');
      if (files.length > maxFilesPerImport)
        command.error(`at most ${maxFilesPerImport} files can be imported at a time`);
      if (files.length > 1 && (given.identifier ?? given.name ?? given.abbrev) !== undefined)
        command.error('--id, --name and --abbrev are for one file at a time');
      return changeTexts({ data, json, jobs }, async ({ dataDir, print, log }) => {
        const added = await importFiles(files, { dataDir, log, given, replace, restricted });
        print(JSON.stringify({ added }), [`imported ${added.join(', ')} into ${dataDir}`]);
      });
    });
}

const describeReport = ({ imported, unchanged, rejected }: CatalogueReport, isDryRun: boolean): string[] => [
  ...rejected.map(({ place, reason }) => `rejected: ${place}: ${reason}`),
  `${isDryRun ? 'would import' : 'imported'} ${imported.length}, unchanged ${unchanged.length}, rejected ${rejected.length}`,
];

async function buildDefaults(context: Context, force: boolean): Promise<void> {
  const { dataDir, print, log } = context;
  await withDataLock(dataDir, context, async () => {
    await updateCatalogue(dataDir, textKind, { log });
    const sources = await fetchSources(requiredDefaults(dataDir), context);
    const stale = force ? requiredDefaults(dataDir) : staleDefaults(sources, dataDir);
    if (stale.length === 0) log(`the default translations in ${dataDir} are up to date`);
    else await buildDefaultTranslations(stale, sources, { dataDir, log });
    print(JSON.stringify({ dataDir, built: stale.map(({ identifier }) => identifier) }), []);
  });
}

function listTexts({ dataDir, print }: Context): void {
  const corpus = openCorpus(dataDir);
  try {
    const translations = corpus.storedTranslations().map(({ origin, details }) => ({ ...details, origin }));
    const json = JSON.stringify({ datasetVersion: corpus.datasetVersion(), translations }, null, 2);
    print(json, translations.map(describe));
  } finally {
    corpus.close();
  }
}

function describe(translation: TranslationDetails & { origin: string }): string {
  const marks = [
    translation.complete ? 'complete' : 'partial',
    ...(translation.hasStrongsTagging ? ["Strong's"] : []),
    ...(translation.origin === 'import' ? ['imported'] : []),
    ...(translation.restricted ? ['restricted'] : []),
  ];
  const { format, name, version } = translation.source;
  return [
    translation.identifier.padEnd(16),
    String(translation.verseCount).padStart(6),
    translation.language,
    translation.name,
    `(${marks.join(', ')}; ${format} ${name}${version ? ` ${version}` : ''})`,
  ].join('  ');
}

function exportTexts(
  folder: string,
  format: ExportFormat,
  identifiers: readonly string[] | undefined,
  { dataDir, print }: Context,
): void {
  const corpus = openCorpus(dataDir);
  try {
    const selected = identifiers ?? corpus.translations.map(({ identifier }) => identifier);
    const files = selected.map((identifier) => exportText(corpus, identifier, format, join(folder, identifier)));
    const count = files.reduce((sum, each) => sum + each, 0);
    print(JSON.stringify({ folder, format, translations: selected, files: count }), [
      `${folder} has ${selected.join(', ')} (books: ${count})`,
    ]);
  } finally {
    corpus.close();
  }
}

async function exportTo(folder: string, jobs: number | undefined, context: Context): Promise<void> {
  const { dataDir, env, print, log } = context;
  await buildOfflinePackages({ dataDir, translations: readOfflineTranslations(env), log, jobs });
  const packages = exportPackages({ dataDir, folder, baseUrl: env['OFFLINE_BASE_URL'] ?? '', log });
  print(JSON.stringify({ folder, packages }), [`${packages} offline packages are in ${folder}`]);
}

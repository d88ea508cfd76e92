import { readFileSync } from 'node:fs';
import type { ModuleSources } from '@lectern/corpus';
import type { CommentaryNote, StandardVerses, UnresolvedReference, VersesAndParser } from '@lectern/reference-works';
import {
  commentaryWorks,
  createVersesAndParser,
  readCommentary,
  readTopics,
  topicalBible,
} from '@lectern/reference-works';
import type { Database } from 'better-sqlite3';
import { maxPerVerse } from '../tables';
import type { CollectedReference, CrossReferenceCollector } from './collect';
import { createCrossReferenceCollector } from './collect';
import { parseCrossReferences } from './import';
import type { OperatorSource, StudySource } from './modules';
import { moduleSources, operatorFile, readOperatorSources } from './modules';
import { readNoteReferences } from './notes';
import { writeTopics } from './topics';

/**
 * Creates a function that writes the notes of a commentary. The function ranks the notes on each
 * verse: notes that explain the fewest verses come first, ties in the order of the commentary.
 */
function createNoteWriter(db: Database, verses: StandardVerses) {
  const insertNote = db.prepare(
    'INSERT INTO note (number, source, first, last, heading, text, spans) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertOfVerse = db.prepare('INSERT INTO verse_note (verse, rank, source, note) VALUES (?, ?, ?, ?)');
  const updateSource = db.prepare('UPDATE source SET note_count = ? WHERE number = ?');
  let number = 0;
  return (notes: readonly CommentaryNote[], source: number): void => {
    const byVerse = new Map<number, { number: number; count: number }[]>();
    for (const { span, heading, text, references } of notes) {
      number += 1;
      const spans = references.flatMap(({ start, length, spans: targets }) =>
        targets.map(({ first, last }) => [start, length, first, last]),
      );
      insertNote.run(number, source, span.first, span.last, heading, text, JSON.stringify(spans));
      for (const verse of verses.within(span)) {
        const others = byVerse.get(verse) ?? [];
        others.push({ number, count: verses.count(span) });
        byVerse.set(verse, others);
      }
    }
    updateSource.run(notes.length, source);
    for (const [verse, found] of byVerse) {
      const ranked = found.sort((a, b) => a.count - b.count || a.number - b.number).slice(0, maxPerVerse);
      for (const [rank, note] of ranked.entries()) insertOfVerse.run(verse, rank, source, note.number);
    }
  };
}

interface SourceParts {
  /**
   * The paths of the SWORD modules (books packaged by the SWORD project) that this machine has, by
   * module name.
   */
  readonly modules: ModuleSources;
  /** The data folder, which holds the cross references that the operator has imported. */
  readonly dataDir: string;
  /** Receives one line at a time: the counts of each source, and errors in imported files. */
  readonly log: (line: string) => void;
}

/** The counts of one source for the log, and its references that name no existing verse. */
interface Summary {
  readonly counts: string;
  readonly unresolved: readonly UnresolvedReference[];
}

/** A SWORD module of this machine: the path of its .conf file, and the number of its source. */
interface FoundModule {
  readonly conf: string;
  readonly number: number;
}

/**
 * Reads the sources that this machine has, and writes their topics, notes and cross references.
 * Returns one line for each reference of a module that names no existing verse.
 */
export function writeSourceContents(db: Database, { modules, dataDir, log }: SourceParts): string[] {
  const versesAndParser = createVersesAndParser();
  const collector = createCrossReferenceCollector(versesAndParser.verses);
  const operatorSources = readOperatorSources(dataDir);
  const found = moduleSources.filter(({ module }) => modules.has(module));
  const numbers = insertSources(db, [...found, ...operatorSources]);
  const readModule = createModuleReader(db, versesAndParser, collector);
  const lines: string[] = [];
  for (const { id, module, title } of found) {
    const { counts, unresolved } = readModule(id, { conf: modules.get(module) ?? '', number: numbers.get(id) ?? 0 });
    log(`${title}: ${counts}`);
    for (const { place, reference } of unresolved)
      lines.push(`${title}: ${place} has a reference that does not resolve: ${reference}`);
  }
  for (const source of operatorSources) {
    const number = numbers.get(source.id) ?? 0;
    for (const line of addVotedReferences(source, { dataDir, versesAndParser, collector, number })) log(line);
  }
  insertCrossReferences(db, collector.collect());
  return lines;
}

/** Writes the list of sources, numbered from 1. Returns their numbers by identifier. */
function insertSources(db: Database, sources: readonly StudySource[]): ReadonlyMap<string, number> {
  const insert = db.prepare('INSERT INTO source (number, id, title, author, year, licence) VALUES (?, ?, ?, ?, ?, ?)');
  for (const [index, { id, title, author, year, licence }] of sources.entries())
    insert.run(index + 1, id, title, author, year, licence);
  return new Map(sources.map(({ id }, index) => [id, index + 1]));
}

/**
 * Returns a function that reads the module of a source, writes its topics or notes, and adds its
 * cross references to the collector.
 */
function createModuleReader(db: Database, versesAndParser: VersesAndParser, collector: CrossReferenceCollector) {
  const writeNotes = createNoteWriter(db, versesAndParser.verses);
  return (id: string, { conf, number }: FoundModule): Summary => {
    const commentary = commentaryWorks.find((work) => work.id === id);
    if (commentary) {
      const { notes, unresolved } = readCommentary(conf, commentary.rules, versesAndParser);
      writeNotes(notes, number);
      collector.addNotes(notes, number);
      const count = notes.reduce((sum, { references }) => sum + references.length, 0);
      return { counts: `${notes.length} notes with ${count} references`, unresolved };
    }
    if (id === topicalBible.id) {
      const read = readTopics(conf, versesAndParser);
      writeTopics(db, read, versesAndParser.verses);
      collector.addTopics(read, number);
      const links = `${read.brokenLinks.length} links to other topics lead nowhere`;
      return { counts: `${read.topics.length} topics; ${links}`, unresolved: read.unresolved };
    }
    const { cited, unresolved } = readNoteReferences(conf, versesAndParser);
    for (const { verse, targets } of cited) for (const target of targets) collector.add(verse, target, number);
    return { counts: `${cited.length} notes with references`, unresolved };
  };
}

interface VotedParts {
  readonly dataDir: string;
  readonly versesAndParser: VersesAndParser;
  readonly collector: CrossReferenceCollector;
  readonly number: number;
}

/**
 * The maximum number of lines of an imported file that are logged because their verses do not
 * exist.
 */
const maxListed = 100;

/**
 * Adds to the collector the references of an imported file that have at least `minVotes` votes.
 * Leaves out a file that was damaged after the import. Returns lines for the log.
 */
function addVotedReferences(
  { id, title, minVotes }: OperatorSource,
  { dataDir, versesAndParser, collector, number }: VotedParts,
): string[] {
  const file = operatorFile(dataDir, id, 'tsv');
  const parsed = parseCrossReferences(readFileSync(file, 'utf8'), versesAndParser);
  if (parsed.kind === 'invalid')
    return [`warning: ${file} is damaged (${parsed.messages[0] ?? ''}) and is left out: import it again`];
  const chosen = parsed.references.filter(({ votes }) => votes >= minVotes);
  for (const { verse, target } of chosen) collector.add(verse, target, number);
  const listed = parsed.unresolved.slice(0, maxListed);
  const more = parsed.unresolved.length - listed.length;
  return [
    `${title}: ${chosen.length} cross references`,
    ...listed.map((line) => `${title}: ${line}`),
    ...(more > 0 ? [`${title}: ${more} more lines do not exist in the standard numbering`] : []),
  ];
}

function insertCrossReferences(db: Database, collected: ReadonlyMap<number, readonly CollectedReference[]>): void {
  const insert = db.prepare('INSERT INTO cross_reference (verse, rank, first, last, sources) VALUES (?, ?, ?, ?, ?)');
  for (const [verse, references] of collected)
    for (const [rank, { first, last, sources }] of references.entries())
      insert.run(verse, rank, first, last, JSON.stringify(sources));
}

import { readFileSync } from 'node:fs';
import type { ModuleSources } from '@lectern/corpus';
import type {
  CommentaryNote,
  StandardVerses,
  UnresolvedReference,
  VerseSpan,
  VersesAndParser,
} from '@lectern/reference-works';
import {
  commentaryWorks,
  createVersesAndParser,
  readCommentary,
  readTopics,
  topicalBible,
} from '@lectern/reference-works';
import type { Database } from 'better-sqlite3';
import { maxPerVerse } from '../tables';
import { type CrossReferenceCollector, createCrossReferenceCollector } from './cross-references';
import { parseCrossReferences, type VotedReference } from './import-references';
import { readNoteReferences } from './notes';
import type { OperatorSource } from './sources';
import { computedSource, moduleSources, operatorFile, readComputedReferences, readOperatorSources } from './sources';
import { writeTopics } from './topics';

/** Reads the modules and writes their contents. Returns a line for each reference to verses that do not exist. */
export function writeSourceContents(
  db: Database,
  { modules, dataDir, log }: { modules: ModuleSources; dataDir: string; log: (line: string) => void },
): string[] {
  const versesAndParser = createVersesAndParser();
  const collector = createCrossReferenceCollector(versesAndParser.verses);
  const readModule = createModuleReader(db, versesAndParser, collector);
  const found = moduleSources.filter(({ module }) => modules.has(module));
  const operatorSources = readOperatorSources(dataDir);
  const insert = db.prepare('INSERT INTO source (number, id, title, author, year, licence) VALUES (?, ?, ?, ?, ?, ?)');
  const sources = [...found, ...operatorSources, computedSource];
  for (const [index, { id, title, author, year, licence }] of sources.entries())
    insert.run(index + 1, id, title, author, year, licence);
  const lines: string[] = [];
  for (const [index, { id, module, title }] of found.entries()) {
    const { counts, unresolved } = readModule(id, modules.get(module) ?? '', index + 1);
    log(`${title}: ${counts}`);
    for (const { place, reference } of unresolved)
      lines.push(`${title}: ${place} has a reference that does not resolve: ${reference}`);
  }
  for (const [index, source] of operatorSources.entries()) {
    const { references, messages } = readVotedReferences(
      source,
      operatorFile(dataDir, source.id, 'tsv'),
      versesAndParser,
    );
    for (const [verse, targets] of byVotes(references)) collector.addRanked(verse, targets, found.length + index + 1);
    for (const { verse, target } of references) collector.add(verse, target, found.length + index + 1);
    messages.forEach(log);
  }
  for (const { verse, targets } of readComputedReferences())
    collector.addRanked(
      verse,
      targets.map((target) => ({ first: target, last: target })),
      sources.length,
    );
  const insertReference = db.prepare(
    'INSERT INTO cross_reference (verse, rank, first, last, sources) VALUES (?, ?, ?, ?, ?)',
  );
  for (const [verse, references] of collector.collect())
    for (const [rank, { first, last, sources }] of references.entries())
      insertReference.run(verse, rank, first, last, JSON.stringify(sources));
  return lines;
}

/** Reads the module of a source, and writes its contents or adds them to the collector of cross references. */
function createModuleReader(db: Database, versesAndParser: VersesAndParser, collector: CrossReferenceCollector) {
  const writeNotes = createNoteWriter(db, versesAndParser.verses);
  return (id: string, conf: string, number: number): { counts: string; unresolved: readonly UnresolvedReference[] } => {
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

/** For each verse, the notes on the fewest verses come first, and at most `maxPerVerse` are kept. */
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

/** Groups references by their verse, those with the most votes first. */
function byVotes(references: readonly VotedReference[]): Map<number, VerseSpan[]> {
  const ofVerse = new Map<number, VerseSpan[]>();
  for (const { verse, target } of [...references].sort((a, b) => b.votes - a.votes)) {
    const targets = ofVerse.get(verse);
    if (targets) targets.push(target);
    else ofVerse.set(verse, [target]);
  }
  return ofVerse;
}

/** The maximum number of references to missing verses that are logged for an imported file. */
const maxListed = 100;

/** Reads references with at least `minVotes`, and messages to log. Leaves out a file damaged after the import. */
function readVotedReferences({ title, minVotes }: OperatorSource, file: string, versesAndParser: VersesAndParser) {
  const parsed = parseCrossReferences(readFileSync(file, 'utf8'), versesAndParser);
  if (parsed.kind === 'invalid') {
    const [reason = ''] = parsed.messages;
    return { references: [], messages: [`warning: ${file} is damaged (${reason}) and is left out: import it again`] };
  }
  const references = parsed.references.filter(({ votes }) => votes >= minVotes);
  const more = parsed.unresolved.length - maxListed;
  const messages = [
    `${title}: ${references.length} cross references`,
    ...parsed.unresolved.slice(0, maxListed).map((line) => `${title}: ${line}`),
    ...(more > 0 ? [`${title}: ${more} more lines do not exist in the standard numbering`] : []),
  ];
  return { references, messages };
}

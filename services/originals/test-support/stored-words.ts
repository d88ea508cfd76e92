import { dataDir } from '@lectern/testing';
import Database from 'better-sqlite3';
import { originalsFile } from '../src/index';

/** Reads the words of originals.sqlite in their order, without the code that the tests check. */
export function readStoredWords() {
  const db = new Database(originalsFile(dataDir), { readonly: true });
  const column = (name: string): Buffer =>
    db.prepare<[string], Buffer>('SELECT numbers FROM word_column WHERE name = ?').pluck().get(name) as Buffer;
  const [lemmas, parsings] = [column('lemma'), column('parsing')];
  const rows = <Row>(sql: string) => new Map(db.prepare<[], [number, Row]>(sql).raw().all());
  const keys = rows<string>('SELECT number, key FROM lemma');
  const numbers = rows<string | null>('SELECT number, strongs FROM lemma');
  const codes = rows<string>('SELECT number, code FROM parsing');
  const words = Array.from({ length: lemmas.length / 2 }, (_, index) => {
    const lemma = lemmas.readUInt16LE(2 * index);
    return { key: keys.get(lemma), strongs: numbers.get(lemma), code: codes.get(parsings.readUInt16LE(2 * index)) };
  });
  db.close();
  return words;
}

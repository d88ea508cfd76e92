import { withFolder } from '@lectern/testing';
import { type ModuleParts, writeModule } from '../../corpus/test-support/write-module';
import { confOf, describeWithWorks } from '../test-support/installed-modules';
import { readOutlines } from './read-commentary';
import { createVersesAndParser } from './references';

const versesAndParser = createVersesAndParser();

const readSmall = (parts: Pick<ModuleParts, 'entries' | 'linked'>) =>
  withFolder((folder) =>
    readOutlines(writeModule(folder, { driver: 'zCom', name: 'Small', ...parts }), versesAndParser),
  );

const row = (title: string, verses: string) => `<row> <cell>${title}</cell> <cell>(${verses})</cell> </row>`;

test('readOutlines returns the title and the verses of each part of an outline', async () => {
  const outline = `<table> ${row('God creates  heaven &amp; earth.', '1-2')} ${row('Light.', '3')} </table>`;
  expect(await readSmall({ entries: { 'GEN 1:1': outline }, linked: { 'GEN 1:2': 'GEN 1:1' } })).toEqual([
    { title: 'God creates heaven & earth.', span: { first: 1001001, last: 1001002 } },
    { title: 'Light.', span: { first: 1001003, last: 1001003 } },
  ]);
});

test('readOutlines leaves out parts with nonexistent verses, incomplete table rows, and text outside tables', async () => {
  const text = `<table> ${row('Nothing.', '90-95')} <row> <cell>Only one cell</cell> </row> </table> Text (1-2).`;
  expect(await readSmall({ entries: { 'GEN 1:1': text } })).toEqual([]);
});

describeWithWorks('the outlines of Matthew Henry', () => {
  test("readOutlines finds the expected number of chapter outlines in Matthew Henry's commentary", () => {
    const parts = readOutlines(confOf('MHCC'), versesAndParser);
    expect(new Set(parts.map(({ span }) => Math.floor(span.first / 1_000))).size).toBe(792);
    expect(parts).toContainEqual({
      title: 'God appears to Moses in a burning bush.',
      span: { first: 2003001, last: 2003006 },
    });
  });
});

import { createTranslationFileCache } from '@lectern/data-files';
import { dataDir, runToEnd } from '@lectern/testing';
import { openSearchFiles, readIndexInSteps } from '../store';
import { parseQuery } from './query';

/** Takes the steps that verify and open the file of a translation, and the first step that reads its index. */
function startReading(identifier: string, memory = createTranslationFileCache({ maxBytes: 1e9 })) {
  const files = openSearchFiles({ dataDir, memory });
  runToEnd(files.verifyInSteps(identifier));
  const steps = readIndexInSteps(files, identifier);
  steps.next();
  steps.next();
  return { files, steps };
}

test('two searches that open search.sqlite at the same time read the index together, in several steps', () => {
  const { files, steps } = startReading('eng-web');
  // Pauses once before it uses the file, and four times while it reads the rest of the index.
  expect([...readIndexInSteps(files, 'eng-web')]).toHaveLength(5);
  expect(steps.next()).toEqual({ done: true, value: files.use('eng-web')?.index.read() });
  files.close();
});

test('a search finds verses even if its search.sqlite is closed before the index is read, because another file needs the memory', () => {
  const { files, steps } = startReading('eng-web', createTranslationFileCache({ maxBytes: 1 }));
  files.use('spa-rv1909');
  const index = runToEnd(steps);
  expect(index && runToEnd(index.findFull(parseQuery('Habakkuk'))).hits.verses).toHaveLength(2);
  files.close();
});

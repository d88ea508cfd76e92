import { type GivenLabels, resolveLabels } from './translation-labels';

const nothing = { name: '', abbrev: '', language: '', note: '' };
const labels = (fileName: string, given: GivenLabels = {}, found = nothing) => resolveLabels(fileName, found, given);

test('resolveLabels reads identifier and language from a file name such as eng-web.usfx.xml', () => {
  expect(labels('eng-web.usfx.xml', { name: 'W' }).labels).toMatchObject({
    identifier: 'eng-web',
    language: 'eng',
    languageName: 'English',
    direction: 'LTR',
  });
});

test('resolveLabels accepts bibliographic language codes and ignores the code und (undetermined)', () => {
  expect(labels('chi-cuv.usfx.xml').labels).toMatchObject({
    identifier: 'chi-cuv',
    language: 'zho',
    languageName: 'Chinese',
  });
  expect(
    labels('eng-us-oeb.osis.xml', {}, { ...nothing, language: 'und', abbrev: 'oeb/usfm/00-Front Page.usfm' }).labels,
  ).toMatchObject({ identifier: 'eng-us-oeb', language: 'eng', abbrev: null });
});

test('resolveLabels prefers the command line to the source', () => {
  const found = { name: 'Found', abbrev: 'F', language: 'en-GB', note: 'All rights' };
  expect(
    labels(
      'x.xml',
      { identifier: 'tst', language: 'ger', name: ' Given\n name ', abbrev: '', note: 'Mine', numbering: 'rv1909' },
      found,
    ).labels,
  ).toEqual({
    identifier: 'tst',
    name: 'Given name',
    abbrev: null,
    language: 'deu',
    languageName: 'German',
    direction: 'LTR',
    note: 'Mine',
    numbering: 'rv1909',
  });
  expect(labels('x.xml', { identifier: 'tst' }, found).labels).toMatchObject({
    name: 'Found',
    abbrev: 'F',
    language: 'eng',
    note: 'All rights',
    numbering: 'standard',
  });
});

test('resolveLabels sets the direction of Hebrew and Persian to RTL', () => {
  expect(labels('heb-modern.xml').labels).toMatchObject({ language: 'heb', direction: 'RTL' });
  expect(labels('x.xml', { identifier: 'x', language: 'fa' }).labels).toMatchObject({
    language: 'fas',
    direction: 'RTL',
  });
});

test('resolveLabels gives an imported translation without a name and note the defaults, and lists both as remarks', () => {
  const { labels: found, remarks } = labels('eng-web.xml');
  expect(found).toMatchObject({ name: 'eng-web', note: 'Licence not stated; imported from eng-web.xml' });
  expect(remarks).toHaveLength(2);
});

test.each<[string, GivenLabels, RegExp]>([
  ['bible.xml', {}, /^bible\.xml: its language is unknown; say --language, such as --language eng$/],
  ['bible.xml', { language: 'eng' }, /^bible\.xml: say what to call the translation, such as --identifier eng-bible$/],
  ['bible.xml', { language: 'klingon' }, /^--language 'klingon' is no language code; ISO 639-3 is wanted/],
  ['bible.xml', { language: 'xq' }, /^--language 'xq' is no language code/],
  [
    'bible.xml',
    { language: 'eng', identifier: 'Eng Web' },
    /^--identifier 'Eng Web' may hold only small letters a-z, digits and hyphens$/,
  ],
  [
    'bible.xml',
    { language: 'eng', identifier: 'eng-x', numbering: 'lxx' },
    /^--numbering 'lxx' is not known; these are: standard, rv1909$/,
  ],
])('resolveLabels rejects %s with %j', (fileName, given, message) => {
  expect(() => labels(fileName, given)).toThrow(message);
});

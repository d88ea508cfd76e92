import { type FoundMetadata, type GivenMetadata, resolveMetadata } from './resolve-metadata';

const nothing: FoundMetadata = { name: '', abbrev: '', language: '', note: '' };
const resolve = (fileName: string, given: GivenMetadata = {}, found = nothing) =>
  resolveMetadata(fileName, found, given);

test('resolveMetadata takes the identifier and the language from a file name such as eng-web.usfx.xml', () => {
  expect(resolve('eng-web.usfx.xml', { name: 'W' }).metadata).toMatchObject({
    identifier: 'eng-web',
    language: 'eng',
    languageName: 'English',
    direction: 'LTR',
  });
});

test('resolveMetadata ignores the language "und" (undetermined), and maps the bibliographic language code "chi" to "zho"', () => {
  expect(resolve('chi-cuv.usfx.xml').metadata).toMatchObject({
    identifier: 'chi-cuv',
    language: 'zho',
    languageName: 'Chinese',
  });
  expect(
    resolve('eng-us-oeb.osis.xml', {}, { ...nothing, language: 'und', abbrev: 'oeb/usfm/00-Front Page.usfm' }).metadata,
  ).toMatchObject({ identifier: 'eng-us-oeb', language: 'eng', abbrev: null });
});

test('resolveMetadata prefers the command-line options to the metadata of the source', () => {
  const found = { name: 'Found', abbrev: 'F', language: 'en-GB', note: 'All rights' };
  expect(
    resolve(
      'x.xml',
      { identifier: 'tst', language: 'ger', name: ' Given\n name ', abbrev: '', note: 'Mine', numbering: 'rv1909' },
      found,
    ).metadata,
  ).toEqual({
    identifier: 'tst',
    name: 'Given name',
    abbrev: null,
    language: 'deu',
    languageName: 'German',
    direction: 'LTR',
    note: 'Mine',
    licence: { code: 'NOASSERTION', holder: null, url: null },
    numbering: 'rv1909',
  });
  expect(resolve('x.xml', { identifier: 'tst' }, found).metadata).toMatchObject({
    name: 'Found',
    abbrev: 'F',
    language: 'eng',
    note: 'All rights',
    numbering: 'standard',
  });
});

test('resolveMetadata uses defaults for a missing name and a missing note, and returns a remark for each', () => {
  const { metadata: found, remarks } = resolve('eng-web.xml');
  expect(found).toMatchObject({ name: 'eng-web', note: 'Licence not stated; imported from eng-web.xml' });
  expect(remarks).toEqual([
    'the file has no title: the translation is named eng-web (--name changes that)',
    'the file has no licence note: --note adds one',
    'the licence is not stated (--licence): only OFFLINE_TRANSLATIONS=free,eng-web makes offline packages',
  ]);
});

test.each([
  [
    'CC-BY-ND-4.0',
    ['the licence CC-BY-ND-4.0 is not known to be free: only OFFLINE_TRANSLATIONS=free,eng-web makes offline packages'],
  ],
  ['CC-BY-4.0', []],
])('resolveMetadata says for the licence %s whether offline packages are missing', (licence, remarks) => {
  expect(resolve('eng-web.xml', { name: 'A', note: 'B', licence }).remarks).toEqual(remarks);
});

test('resolveMetadata asks for no note where the licence asks for no attribution', () => {
  expect(resolve('eng-web.xml', { name: 'A', licence: 'CC0-1.0' }).remarks).toEqual([]);
});

test.each<[string, GivenMetadata, RegExp]>([
  ['bible.xml', {}, /^bible\.xml: its language is unknown; say --language, such as --language eng$/],
  ['bible.xml', { language: 'eng' }, /^bible\.xml: say what to call the translation, such as --identifier eng-bible$/],
  [
    'bible.xml',
    { language: 'klingon' },
    /^--language 'klingon' is not a language code: use an ISO 639-3 code such as eng or spa/,
  ],
  ['bible.xml', { language: 'xq' }, /^--language 'xq' is not a language code/],
  [
    'bible.xml',
    { language: 'eng', identifier: 'Eng Web' },
    /^--identifier 'Eng Web' may hold only small letters a-z, digits and hyphens$/,
  ],
  [
    'bible.xml',
    { language: 'eng', identifier: 'eng-x', numbering: 'lxx' },
    /^--numbering 'lxx' is not known; these are: standard, web, nrsv, divided, rv1909, hebrew, luther, dutch, vulgate, synodal, synodal-protestant, segond, septuagint, greek, original$/,
  ],
])(
  'resolveMetadata rejects the file name %s with the options %j, and names the option to change',
  (fileName, given, message) => {
    expect(() => resolve(fileName, given)).toThrow(message);
  },
);

test.each([
  ['Public Domain', 'PD'],
  ['Creative Commons: BY-SA 4.0', 'CC-BY-SA-4.0'],
  ['Creative Commons: BY-NC-ND 3.0', 'CC-BY-NC-ND-3.0'],
  ['Creative Commons: CC0 1.0', 'CC0-1.0'],
  ['Copyrighted; Permission to distribute granted to CrossWire', 'NOASSERTION'],
  ['', 'NOASSERTION'],
])('resolveMetadata maps the licence text "%s" of a SWORD module to the code %s', (licence, code) => {
  expect(resolve('x.xml', { identifier: 'x', language: 'eng' }, { ...nothing, licence }).metadata.licence).toEqual({
    code,
    holder: null,
    url: null,
  });
});

test('resolveMetadata prefers the licence in the command-line options to the licence of the source', () => {
  const given = {
    identifier: 'x',
    language: 'eng',
    licence: 'CC-BY-4.0',
    licenceHolder: ' A  holder ',
    licenceUrl: 'https://example.org/terms',
  };
  expect(resolve('x.xml', given, { ...nothing, licence: 'Public Domain' }).metadata.licence).toEqual({
    code: 'CC-BY-4.0',
    holder: 'A holder',
    url: 'https://example.org/terms',
  });
});

test.each([
  [{ licence: 'free for all' }, /^--licence 'free for all' is not a licence code: use PD or an SPDX identifier/],
  [
    { licenceUrl: 'javascript:alert(1)' },
    /^--licence-url 'javascript:alert\(1\)' is not an address that starts with https/,
  ],
])('resolveMetadata rejects the options %j, and says what is allowed', (given, message) => {
  expect(() => resolve('x.xml', { identifier: 'x', language: 'eng', ...given })).toThrow(message);
});

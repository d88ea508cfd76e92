import { parseChangelog } from './changes';

const changelog = (...entries: string[]) => ['# Changelog', '', '## 1.0.0', '', '### API', '', ...entries].join('\n');

test('parseChangelog returns only the dated entries in the section "API" of each release', () => {
  expect(
    parseChangelog(
      [
        'A paragraph.',
        '## Unreleased',
        '### API',
        '',
        '- 2026-12-02: Deprecated: `Verse.old`, and `Query.search(limit:)`.',
        '  Use [the reference](https://lectern.example/reference).',
        '- 2026-12-01: `Verse.text` is longer.',
        '### Operation',
        '- Something else.',
        '## 1.0.0 - 2026-11-30',
        '### API',
        '- 2026-11-22: The first release.',
        '## 0.9.0 - 2026-11-01',
        '### Code',
        '- Refactored.',
      ].join('\n'),
    ),
  ).toEqual([
    {
      name: 'Unreleased',
      date: null,
      changes: [
        {
          date: '2026-12-02',
          text: 'Deprecated: `Verse.old`, and `Query.search(limit:)`. Use the reference.',
          coordinates: ['Verse.old', 'Query.search(limit:)'],
        },
        { date: '2026-12-01', text: '`Verse.text` is longer.', coordinates: [] },
      ],
    },
    {
      name: '1.0.0',
      date: '2026-11-30',
      changes: [{ date: '2026-11-22', text: 'The first release.', coordinates: [] }],
    },
    { name: '0.9.0', date: '2026-11-01', changes: [] },
  ]);
});

test.each([
  ['an entry without a date', changelog('- No date.'), /line 7: .*- YYYY-MM-DD: What changed/],
  ['an impossible date', changelog('- 2026-13-01: Text.'), /line 7: an entry .* has the form/],
  ['a date without a text', changelog('- 2026-12-01: Text.', '- 2026-12-01:'), /line 8: an entry .* has the form/],
  ['a release with an invalid date', changelog('- 2026-12-01: Text.', '## 0.9 - soon'), /line 8: 'soon' is not a date/],
  ['no entry', changelog(), /no entry under "### API"/],
  ['no text at all', '', /no entry under "### API"/],
])(
  'parseChangelog throws an error that names the problem and the line for a changelog with %s',
  (_, markdown, message) => {
    expect(() => parseChangelog(markdown)).toThrow(message);
  },
);

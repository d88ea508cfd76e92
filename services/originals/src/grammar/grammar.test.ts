import { useStarted } from '@lectern/testing';
import { describeWithTexts, openRealOriginalsClient } from '../../test-support/originals-client';
import { readStoredWords } from '../../test-support/stored-words';
import { describeGrammar } from './grammar';
import { decodeGreek } from './greek';
import { decodeHebrew } from './hebrew';

const describeHebrew = (code: string): string =>
  decodeHebrew(code)
    .map((each) => describeGrammar(each))
    .join(' + ');

test.each([
  ['HVqp3ms', 'verb, Qal perfect, 3rd person masculine singular'],
  ['HR/Ncfsa', 'preposition + common noun, feminine singular absolute'],
  ['HC/Td/Ncbsa', 'conjunction + article + common noun, both singular absolute'],
  ['HRd/Vprmsa', 'preposition with definite article + verb, Piel active participle, masculine singular absolute'],
  ['HVQp3ms', 'verb, Qal passive perfect, 3rd person masculine singular'],
  ['HVqc/Sp1cs', 'verb, Qal infinitive construct + pronominal suffix, 1st person common singular'],
  ['HNp/Sd', 'proper noun + directional he'],
  ['HAcmsa', 'cardinal number, masculine singular absolute'],
  ['HTo', 'direct object marker'],
  ['HTj', 'interjection'],
  ['HPdxms', 'demonstrative pronoun, masculine singular'],
  ['AVqp3ms', 'verb, Peal perfect, 3rd person masculine singular'],
  ['AVtrmsa', 'verb, Hishtaphel active participle, masculine singular absolute'],
  ['ANcmsd', 'common noun, masculine singular determined'],
  ['ANxxxa', 'noun, absolute'],
])('the Hebrew or Aramaic grammar code %s is described as "%s"', (code, line) => {
  expect(describeHebrew(code)).toBe(line);
});

test.each([
  ['V- 3AAI-S--', 'verb, aorist active indicative, 3rd person singular'],
  ['V- -PAPNSM-', 'verb, present active participle, nominative singular masculine'],
  ['V- -AAN----', 'verb, aorist active infinitive'],
  ['N- ----DSF-', 'noun, dative singular feminine'],
  ['A- ----NSMC', 'adjective, nominative singular masculine, comparative'],
  ['RA ----GPN-', 'article, genitive plural neuter'],
  ['RI ----NSM-', 'interrogative or indefinite pronoun, nominative singular masculine'],
  ['X- --------', 'particle'],
])('the Greek grammar code %s is described as "%s"', (code, line) => {
  expect(describeGrammar(decodeGreek(code))).toBe(line);
});

test.each([
  ['XNcmsa', /unknown language 'X'/],
  ['HZcmsa', /unknown part of speech 'Z'/],
  ['HNzmsa', /unknown type 'z'/],
  ['HVyp3ms/Sp3qs', /unknown gender 'q'/],
  ['HVGp3ms', /unknown stem 'G'/],
  ['HVqz3ms', /unknown conjugation 'z'/],
  ['HNcmsaa', /unknown letter 'a'/],
  ['H', /unknown part of speech ''/],
])('the Hebrew grammar code %s is rejected with an error that names the invalid letter', (code, message) => {
  expect(() => decodeHebrew(code)).toThrow(message);
});

test.each([
  ['Q- --------', /unknown part of speech 'Q-'/],
  ['N- ----QSF-', /unknown case 'Q'/],
  ['V- 4AAI-S--', /unknown parsing/],
  ['N- ----NSF', /unknown parsing/],
])('the Greek grammar code %s is rejected', (code, message) => {
  expect(() => decodeGreek(code)).toThrow(message);
});

describeWithTexts('the parsings of all 443,061 words', () => {
  const client = useStarted(openRealOriginalsClient);

  test('each grammar code of the original texts has a description, and all its values are enum values of the schema', async () => {
    const codes = readStoredWords().map(({ code }) => code ?? '');
    expect(codes).toHaveLength(443_061);
    const terms = new Map<string, Set<string>>();
    for (const code of new Set(codes))
      for (const { code: segment, ...grammar } of code.includes(' ') ? [decodeGreek(code)] : decodeHebrew(code)) {
        expect([segment, describeGrammar({ code: segment, ...grammar })]).toEqual([
          segment,
          expect.stringMatching(/^[a-z]/),
        ]);
        for (const [category, term] of Object.entries(grammar))
          terms.set(category, (terms.get(category) ?? new Set()).add(String(term)));
      }
    const { fields } = await client.data<{
      fields: { fields: { name: string; type: { name: string | null; ofType: { name: string } | null } }[] };
    }>('{ fields: __type(name: "Parsing") { fields { name type { name ofType { name } } } } }');
    for (const [category, found] of terms) {
      if (category === 'person') continue;
      const type = fields.fields.find(({ name }) => name === category)?.type;
      const { values } = await client.data<{ values: { enumValues: { name: string }[] } }>(
        'query ($name: String!) { values: __type(name: $name) { enumValues { name } } }',
        { name: type?.name ?? type?.ofType?.name },
      );
      const names = new Set(values.enumValues.map(({ name }) => name));
      expect([category, [...found].filter((term) => !names.has(term))]).toEqual([category, []]);
    }
  });
});

import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const { queryData, queryErrors, close } = openTextClient({ dataDir });
afterAll(close);

const reading = async (reference: string, numbering: string | null = null, translation = 'eng-web') => {
  const { passage } = (await queryData(
    `query ($r: String!, $n: String, $t: String) { passage(reference: $r, numbering: $n, translation: $t) {
      reference numbering otherReading { reference numbering verses { reference } } } }`,
    { r: reference, n: numbering, t: translation },
  )) as unknown as { passage: { reference: string; numbering: string; otherReading: null | typeof passage } };
  const { otherReading: other } = passage;
  return [passage.reference, passage.numbering, other && `${other.reference} (${other.numbering})`];
};

test.each([
  ['John 3:16', 'eng-web', 'John 3:16', 'web', null],
  ['Joel 3,1', 'eng-web', 'Joel 3:1', 'web', 'Joel 2:28 (hebrew)'],
  ['Joel 3:1', 'eng-web', 'Joel 3:1', 'web', 'Joel 2:28 (hebrew)'],
  ['Mal 3:19', 'eng-web', 'Malachi 3:19', 'web', 'Malachi 4:1 (hebrew)'],
  ['Mal 4:1', 'hbo-wlc', 'Malachi 4:1', 'hebrew', 'Malachi 3:19 (standard)'],
  ['Offb 12,18', 'eng-web', 'Revelation 12:18', 'web', 'Revelation 13:1 (luther)'],
  ['3 Jn 1:15', 'eng-web', '3 John 1:15', 'web', '3 John 1:14 (luther)'],
  ['Ps 90 (LXX) 1', 'eng-web', 'Psalms 91:1', 'septuagint', 'Psalms 90:1 (web)'],
  ['Jer 38:15 LXX', 'eng-web', 'Jeremiah 31:15', 'septuagint', 'Jeremiah 38:15 (web)'],
  ['Mal 3:19 (MT)', 'eng-web', 'Malachi 4:1', 'hebrew', null],
  ['Ps 23', 'eng-web', 'Psalms 23', 'web', 'Psalms 24 (vulgate)'],
  ['Rom 16:25', 'eng-web', 'Romans 16:25', 'web', 'Romans 14:24 (standard)'],
  ['Gospel of John (Jn 3:16)', 'eng-web', 'John 3:16', 'web', null],
  ['the burning bush', 'eng-web', 'Exodus 3:1-4:17', 'web', null],
])('the field passage tells what %j in %s may also mean', async (text, translation, reference, numbering, other) =>
  expect(await reading(text, null, translation)).toEqual([reference, numbering, other]),
);

test.each([
  ['Joel 3:1', 'hebrew', 'Joel 2:28', 'Joel 3:1 (web)'],
  ['Joel 3', 'hebrew', 'Joel 2:28-32', 'Joel 3 (web)'],
  ['Gen 32', 'hebrew', 'Genesis 31:55-32:32', 'Genesis 32 (web)'],
  ['Ps 22-24', 'vulgate', 'Psalms 23-25', 'Psalms 22-24 (web)'],
  ['Ps 9', 'vulgate', 'Psalms 9-10', 'Psalms 9 (web)'],
  ['Ps 51:1-3', 'hebrew', 'Psalms 51:1', 'Psalms 51:1-3 (web)'],
  ['Joel 3:1-9', 'hebrew', 'Joel 2:28-32', 'Joel 3:1-9 (web)'],
  ['John 3:16', 'hebrew', 'John 3:16', null],
  ['Joel 5:1', 'hebrew', 'Joel 5:1', null],
  ['Mal 4:1', 'hebrew', 'Malachi 4:1', 'Malachi 4:1 (web)'],
  ['Rom 16:25-27', 'web', 'Romans 16:25-27', 'Romans 14:24-26 (standard)'],
  ['Ps 147:12', 'vulgate', 'Psalms 147:12', 'Psalms 147:12 (web)'],
])('the field passage reads %j by the numbering %s as %s', async (text, numbering, reference, other) =>
  expect(await reading(text, numbering)).toEqual([reference, numbering, other]),
);

test('the field references reads the references of a text by a numbering, and one with (LXX) by the Septuagint', async () => {
  expect(
    await queryData(`{ references(text: "Mal 3:19, Joel 3:1 and Ps 22 (LXX), not John 3:16", numbering: "hebrew") {
      reference status verseCount numbering start otherReading { reference status numbering start otherReading { reference } } } }`),
  ).toEqual({
    references: [
      {
        reference: 'Malachi 4:1',
        status: 'OK',
        verseCount: 1,
        numbering: 'hebrew',
        start: 0,
        otherReading: null,
      },
      {
        reference: 'Joel 2:28',
        status: 'OK',
        verseCount: 1,
        numbering: 'hebrew',
        start: 10,
        otherReading: {
          reference: 'Joel 3:1',
          status: 'OK',
          numbering: 'web',
          start: 10,
          otherReading: { reference: 'Joel 2:28' },
        },
      },
      {
        reference: 'Psalms 23',
        status: 'OK',
        verseCount: 6,
        numbering: 'septuagint',
        start: 23,
        otherReading: {
          reference: 'Psalms 22',
          status: 'OK',
          numbering: 'web',
          start: 23,
          otherReading: { reference: 'Psalms 23' },
        },
      },
      { reference: 'John 3:16', status: 'OK', verseCount: 1, numbering: 'hebrew', start: 40, otherReading: null },
    ],
  });
});

test.each([
  ['Jer 31:31 (LXX 38:31)', 'Jeremiah 31:31'],
  ['Jer 31:31 [LXX 38:31-34]', 'Jeremiah 31:31'],
  ['Ps 51:1 (LXX 50:3)', 'Psalms 51:1'],
  ['Ps 23:1 (Vulg 22:1)', 'Psalms 23:1'],
  ['Joel 2:28 (MT 3:1)', 'Joel 2:28'],
  ['Mal 4:5 (MT 3:23)', 'Malachi 4:5'],
  ['Ps 51:1 (MT 3)', 'Psalms 51:1'],
])('the fields passage, references and parallel read %j as %s, without the other number', async (text, reference) =>
  expect(
    await queryData(
      `query ($r: String!, $text: String!) { passage(reference: $r) { reference }
        references(text: $text) { reference }
        parallel(reference: $r, translations: ["eng-web", "eng-kjv"]) { reference } }`,
      { r: text, text: `As ${text} is quoted` },
    ),
  ).toEqual({ passage: { reference }, references: [{ reference }], parallel: { reference } }),
);

test.each(['Jer 38:31 LXX; Ps 23:1', 'Jer 38:31; Ps 23:1 LXX'])(
  'the field passage rejects the list %j, because a mark names the numbering of one reference',
  async (text) =>
    expect(await queryErrors(`{ passage(reference: "${text}") { reference } }`)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("'LXX'") }),
    ]),
);

test('the field references applies a mark in a list only to the reference before it', async () =>
  expect(await queryData('{ references(text: "Jer 38:31 LXX; Ps 23:1") { reference } }')).toEqual({
    references: [{ reference: 'Jeremiah 31:31' }, { reference: 'Psalms 23:1' }],
  }));

test('ParsedReference.otherReading finds the verses of a reference that its own numbering lacks', async () =>
  expect(
    await queryData('{ references(text: "Mal 4:1", numbering: "hebrew") { verseCount otherReading { reference } } }'),
  ).toEqual({ references: [{ verseCount: 0, otherReading: { reference: 'Malachi 4:1' } }] }));

test('the field passage rejects an unknown numbering with BAD_USER_INPUT and lists the known ones', async () => {
  expect(await queryErrors('{ passage(reference: "John 3:16", numbering: "kjv") { reference } }')).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^numbering has no value 'kjv'; send one of standard, web, .*original$/),
    }),
  ]);
});

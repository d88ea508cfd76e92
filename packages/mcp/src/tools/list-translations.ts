import { z } from 'zod';
import { takeWithin } from '../answer';
import { defineTool, readTranslations, skipArgument, textArgument } from '../tool';

export const listTranslations = defineTool({
  name: 'list_translations',
  title: 'List the Bible translations',
  description:
    'Lists the Bible translations that the other tools can read, with identifier, language, licence and features. ' +
    'Use it to find the identifier of a translation or of a language. If a translation is not listed, no tool can quote it.',
  input: {
    language: textArgument(100)
      .optional()
      .describe('Only this language: an ISO 639-3 code such as "spa", or the English name such as "Spanish".'),
    skip: skipArgument.describe('How many translations to skip, as the note of the answer says.'),
  },
  output: {
    translations: z.array(
      z.object({
        identifier: z.string(),
        name: z.string(),
        language: z.string(),
        languageName: z.string().nullable(),
        verseCount: z.int(),
        complete: z.boolean().describe('Whether it has all 66 books.'),
        strongsNumbers: z.boolean(),
        licence: z.string(),
        attribution: z.string(),
      }),
    ),
  },
  async run({ language: wanted, skip }, { client, links, signal }) {
    const name = wanted?.toLowerCase();
    const all = (await readTranslations(client, signal)).filter(
      ({ language, languageName }) => name === undefined || language === name || languageName?.toLowerCase() === name,
    );
    const listed = all.slice(skip).map((translation) => ({
      identifier: translation.identifier,
      name: translation.name,
      language: translation.language,
      languageName: translation.languageName,
      verseCount: translation.verseCount,
      complete: translation.complete,
      strongsNumbers: translation.hasStrongsTagging,
      licence: translation.licence.code,
      attribution: translation.licence.attribution,
    }));
    const shown = takeWithin(listed, ({ attribution }) => attribution.length + 80, 50);
    const end = skip + shown.length;
    const note =
      shown.length === 0
        ? 'The service has no such translation.'
        : end === all.length
          ? null
          : `These are the translations ${skip + 1} to ${end} of ${all.length}. For more, call list_translations with skip: ${end}, or name a language.`;
    const lines = shown.map(
      ({ identifier, name, language, languageName, complete, strongsNumbers, attribution }) =>
        `- ${identifier}: ${name}, ${languageName ?? language}${complete ? '' : ', incomplete'}${strongsNumbers ? ", with Strong's numbers" : ''}. ${attribution}`,
    );
    return { lines, answer: { translations: shown, link: links.service, note } };
  },
});

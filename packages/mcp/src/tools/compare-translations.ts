import { z } from 'zod';
import { restNote, sourceSchema, takeWithin, toSource, verseSchema } from '../answer';
import { McpCompareTranslationsDocument } from '../operations.generated';
import { defineTool, optionalTranslations, referenceArgument, required, translationIdentifier } from '../tool';

export const compareTranslations = defineTool({
  name: 'compare_translations',
  title: 'Compare translations of a passage',
  description:
    'Returns a Bible passage in two to five translations, verse by verse, also where the translations number the verses differently. ' +
    'Use it to compare wordings or languages. For one translation use look_up_passage. list_translations names the translations.',
  input: {
    reference: referenceArgument,
    translations: z
      .array(translationIdentifier)
      .min(2)
      .max(5)
      .default(['eng-web', 'eng-kjv'])
      .describe('Identifiers of two to five translations. The reference follows the numbering of the first.'),
  },
  output: {
    reference: z.string(),
    verses: z.array(
      z.object({
        texts: z
          .array(verseSchema.extend({ translation: z.string() }))
          .describe('The verse in each translation that has it, in the order of the translations.'),
      }),
    ),
    sources: z.array(sourceSchema),
  },
  async run({ reference, translations }, { client, signal, links }) {
    const identifiers = [...new Set(translations)];
    const variables = { reference, ...optionalTranslations(identifiers) };
    const data = await client.query(McpCompareTranslationsDocument, variables, { signal });
    const passage = required(data.passage);
    const sources = [data.first, data.second, data.third, data.fourth, data.fifth]
      .slice(0, identifiers.length)
      .map((source) => toSource(required(source)));
    const verses = passage.verses.map((verse) => {
      const versions = [verse, verse.second, verse.third, verse.fourth, verse.fifth];
      const texts = identifiers.flatMap((translation, index) => {
        const version = versions[index];
        return version ? [{ translation, reference: version.reference, text: version.text }] : [];
      });
      return { texts };
    });
    const shown = takeWithin(verses, ({ texts }) => texts.reduce((sum, { text }) => sum + text.length, 0), 30);
    const note =
      shown.length === 0
        ? 'The first translation has no verse at this reference.'
        : restNote(passage.verses, shown.length, 'compare_translations');
    const link = shown.length > 0 ? links.passage(identifiers[0] ?? '', passage.reference) : links.service;
    const lines = shown.flatMap(({ texts }) => [
      '',
      ...texts.map(({ translation, reference, text }) => `${translation}  ${reference}  ${text}`),
    ]);
    return {
      lines: [passage.reference, ...lines],
      answer: { reference: passage.reference, verses: shown, sources, link, note },
    };
  },
});

import { z } from 'zod';
import { restNote, type Source, sourceSchema, takeWithin, toSource, verseSchema } from '../answer';
import { McpCompareTranslationsDocument } from '../operations.generated';
import { defineTool, referenceArgument, required, translationIdentifier } from '../tool';

export const compareTranslations = defineTool({
  name: 'compare_translations',
  title: 'Compare translations of a passage',
  description:
    'Returns a Bible passage of at most 200 verses in two to ten translations, verse by verse, also where the translations number the verses differently, and says why a translation lacks a verse. ' +
    'Use it to compare wordings or languages. For one translation use look_up_passage. list_translations names the translations.',
  input: {
    reference: referenceArgument,
    translations: z
      .array(translationIdentifier)
      .min(2)
      .max(10)
      .default(['eng-web', 'eng-kjv'])
      .describe('Identifiers of two to ten translations. The reference follows the numbering of the first.'),
  },
  output: {
    reference: z.string(),
    verses: z.array(
      z.object({
        texts: z
          .array(verseSchema.extend({ translation: z.string() }))
          .describe('The verses of each translation that has them, in the order of the translations.'),
        missing: z
          .array(z.object({ translation: z.string(), reason: z.string(), elsewhere: z.string().nullable() }))
          .describe(
            'The translations without a verse here. OMITTED: left out. MERGED: the text is in the neighbouring verse `elsewhere`. ELSEWHERE: it is in another part. NOT_IN_TRANSLATION: the translation lacks the chapter.',
          ),
      }),
    ),
    sources: z.array(sourceSchema),
  },
  async run({ reference, translations }, { client, signal, links }) {
    const identifiers = [...new Set(translations)];
    const data = await client.query(
      McpCompareTranslationsDocument,
      { reference, translations: identifiers },
      { signal },
    );
    const parallel = required(data.parallel);
    const sources = new Map<string, Source>();
    const rows = parallel.rows.map(({ cells }) => {
      for (const { translation } of cells) sources.set(translation.identifier, toSource(translation));
      const texts = cells.flatMap(({ translation, verses }) =>
        verses.map((verse) => ({ translation: translation.identifier, reference: verse.reference, text: verse.text })),
      );
      const missing = cells.flatMap(({ translation, absence, elsewhere }) =>
        absence
          ? [{ translation: translation.identifier, reason: absence, elsewhere: elsewhere?.reference ?? null }]
          : [],
      );
      return { texts, missing };
    });
    const shown = takeWithin(rows, ({ texts }) => texts.reduce((sum, { text }) => sum + text.length, 0), 30);
    const numbered = parallel.rows.flatMap(
      ({ cells }) => cells.find(({ verses }) => verses.length > 0)?.verses[0] ?? [],
    );
    const note =
      shown.length === 0
        ? 'None of the translations has a verse at this reference.'
        : restNote(numbered, shown.length, 'compare_translations');
    const link = shown.length > 0 ? links.passage(identifiers[0] ?? '', parallel.reference) : links.service;
    const lines = shown.flatMap(({ texts, missing }) => [
      '',
      ...texts.map(({ translation, reference: place, text }) => `${translation}  ${place}  ${text}`),
      ...missing.map(({ translation, reason, elsewhere }) => `${translation}  ${reason}  ${elsewhere ?? ''}`.trimEnd()),
    ]);
    return {
      lines: [parallel.reference, ...lines],
      answer: { reference: parallel.reference, verses: shown, sources: [...sources.values()], link, note },
    };
  },
});

import { z } from 'zod';

/** The translation that the service uses by default. */
export const defaultTranslation = 'eng-web';

export const translationIdentifier = z.string().trim().min(1).max(100);

export const translationArgument = translationIdentifier
  .default(defaultTranslation)
  .describe(
    `Identifier of the translation, such as eng-web (World English Bible), eng-kjv (King James Version) or spa-rv1909 (Reina-Valera 1909, Spanish). list_translations names all.`,
  );

export const referenceArgument = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe(
    'A Bible reference as people write it, in English or in the language of the translation: "John 3:16", "Ps 23", "Rom 8:1-4; 12:1-2", "Juan 3:16".',
  );

export const booksArgument = z
  .string()
  .trim()
  .max(200)
  .optional()
  .describe('Only these books: names or USFM codes with commas between, such as "Psalms, Proverbs" or "PSA,PRO".');

export const testamentArgument = z.enum(['OLD', 'NEW']).optional().describe('Only this testament.');

/**
 * The argument for the number of verses: at most 50, because a verse takes about 40 tokens of a
 * model's context.
 */
export const limitArgument = (standard: number, max = 50) =>
  z.int().min(1).max(max).default(standard).describe(`The maximum number of verses, from 1 to ${max}.`);

export const afterArgument = z
  .string()
  .max(2_000)
  .optional()
  .describe('`nextPage` of an earlier answer to the same arguments. Leave it out for the first page.');

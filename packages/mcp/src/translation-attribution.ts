import { z } from 'zod';

/** The fields of a translation that the operations select for the attribution of an answer. */
export interface SourceFields {
  readonly identifier: string;
  readonly name: string;
  readonly licence: { readonly code: string; readonly attribution: string };
}

export const sourceSchema = z
  .object({
    identifier: z.string(),
    name: z.string(),
    attribution: z.string().describe('Show it where you quote the text.'),
    licence: z.string().describe('PD for the public domain, or an SPDX identifier.'),
  })
  .describe('The translation that the text is from.');

export type Source = z.infer<typeof sourceSchema>;

export const toSource = ({ identifier, name, licence }: SourceFields): Source => ({
  identifier,
  name,
  attribution: licence.attribution,
  licence: licence.code,
});

/** One line: the name, the identifier and the attribution of a translation. */
export const sourceLine = ({ name, identifier, attribution }: Source): string =>
  `Translation: ${name} (${identifier}). ${attribution}`;

import type { TranslationMetadata } from './translation';

/** What a licence allows and asks for. Null if its code does not say it. */
export interface LicenceTerms {
  readonly commercial: boolean | null;
  readonly derivatives: boolean | null;
  readonly attributionRequired: boolean | null;
  /** The maximum number of verses that may be quoted without another permission. */
  readonly maxVerses: number | null;
}

const unknownTerms: LicenceTerms = { commercial: null, derivatives: null, attributionRequired: null, maxVerses: null };

const free: LicenceTerms = { ...unknownTerms, commercial: true, derivatives: true, attributionRequired: false };
const attribution: LicenceTerms = { ...free, attributionRequired: true };

/** The terms of licences by code, in capitals and without a version: all versions of these licences agree in them. */
const terms: ReadonlyMap<string, LicenceTerms> = new Map([
  ['PD', free],
  ['CC0', free],
  ['CC-PDDC', free],
  ['CC-PDM', free],
  ['CC-BY', attribution],
  ['CC-BY-SA', attribution],
  ['CC-BY-ND', { ...attribution, derivatives: false }],
  ['CC-BY-NC', { ...attribution, commercial: false }],
  ['CC-BY-NC-SA', { ...attribution, commercial: false }],
  ['CC-BY-NC-ND', { ...attribution, commercial: false, derivatives: false }],
]);

/** Returns the terms of a licence by its code: `PD` or an SPDX identifier, in any case. */
export const licenceTerms = (code: string): LicenceTerms =>
  terms.get(code.toUpperCase().split(/-(?=\d)/)[0] ?? '') ?? unknownTerms;

/** Whether anybody may distribute the text in any form, also commercially: nobody controls a public download. */
export function isFree(code: string): boolean {
  const { commercial, derivatives } = licenceTerms(code);
  return commercial === true && derivatives === true;
}

/** Returns the line of title, holder and licence to show beside a text. Null if the licence asks for none. */
export function attributionLine({ name, note, licence: { code, holder } }: TranslationMetadata): string | null {
  const { attributionRequired } = licenceTerms(code);
  if (attributionRequired === false) return null;
  // Codes of texts that have a licence of their own mean nothing to readers.
  const isStandard = attributionRequired || !/^(?:NOASSERTION$|LicenseRef-)/i.test(code);
  const licence = isStandard ? code.replace(/^CC-/i, 'CC ').replace(/-(?=\d)/, ' ') : null;
  return [name, holder ?? note, licence].filter((part) => part !== null).join(' · ');
}

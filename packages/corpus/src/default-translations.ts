import type { SourceModule } from './fetch/modules';
import { openModule } from './sword/module';
import { isImportError, type TranslationMetadata } from './translation';

export interface DefaultTranslation extends TranslationMetadata {
  module: string;
  debianPackage: string;
  /** The version of the module to which `verseCount`, `digest` and the tests refer. */
  version: string;
  /** The SHA-256 digest of the data files of `version`, as `openModule` computes it. */
  digest: string;
  /** The number of verses with text in `version` of the module. */
  verseCount: number;
}

const common = { direction: 'LTR', licence: { code: 'PD', holder: null, url: null } } as const;
const english = { ...common, language: 'eng', languageName: 'English' } as const;
const spanish = { ...common, language: 'spa', languageName: 'Spanish' } as const;

/** The translations in every corpus. All are in the public domain, in modules of eBible.org. */
export const defaultTranslations: readonly DefaultTranslation[] = [
  {
    identifier: 'eng-kjv',
    name: 'King James Version',
    abbrev: 'KJV',
    ...english,
    numbering: 'standard',
    note: 'Public Domain (in the United Kingdom, printing is subject to Crown letters patent). Text: eBible.org.',
    module: 'engKJV2006eb',
    debianPackage: 'sword-text-kjv',
    version: '14.3',
    verseCount: 31_102,
    digest: 'b5e4fe368019dc8910969f273f3ddd6403fa235646875f80807d7ddcccc9da4b',
  },
  {
    identifier: 'eng-web',
    name: 'World English Bible',
    abbrev: 'WEB',
    ...english,
    numbering: 'web',
    note: 'Public Domain. "World English Bible" is a trademark of eBible.org: a changed text may not bear that name. Text: eBible.org.',
    module: 'engWEB2015eb',
    debianPackage: 'sword-text-web',
    version: '426.0',
    verseCount: 31_098,
    digest: '64494f455d4a521838972c8d86c6eeb6b29196abb0c5c6124ecaf42e2416a52f',
  },
  {
    identifier: 'spa-rv1909',
    name: 'Reina-Valera 1909',
    abbrev: 'RV1909',
    ...spanish,
    numbering: 'rv1909',
    note: 'Public Domain (dominio público). Text: eBible.org.',
    module: 'spaRV1909eb',
    debianPackage: 'sword-text-sparv',
    version: '2.60',
    verseCount: 31_084,
    digest: '47726383d36b5c63abbf265d553d66f29c37118bbd3c80b19d54cd8d89bb4043',
  },
];

/** Returns the module of a default translation with a function that checks whether it can be imported. */
export const moduleOfTranslation = (translation: DefaultTranslation): DefaultTranslation & SourceModule => ({
  ...translation,
  check: (conf) => reasonAgainst(conf, translation.digest),
});

/** Returns why the module cannot be imported, or null if it can. */
function reasonAgainst(conf: string, digest: string): string | null {
  try {
    const module = openModule(conf);
    if (module.testaments.length < 2) return 'it lacks a testament';
    // A module with an unknown digest is unpacked completely, because zlib verifies the checksum of each block.
    if (module.digest !== digest) for (const entry of module.entries()) if (entry.text === '') return 'it is empty';
    return null;
  } catch (error) {
    if (isImportError(error)) return error.message;
    throw error;
  }
}

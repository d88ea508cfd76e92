import { isTranslationIdentifier } from '@lectern/canon';
import type { Licence } from '../translation';

/** The setting OFFLINE_TRANSLATIONS: which translations have offline packages. */
export interface OfflineTranslations {
  /** Whether translations under a free licence have packages. */
  readonly free: boolean;
  /** The identifiers of translations that have packages under any licence. */
  readonly identifiers: ReadonlySet<string>;
}

/** The value of OFFLINE_TRANSLATIONS that stands for all translations under a free licence. */
const freeKeyword = 'free';

export const defaultOfflineTranslations = freeKeyword;

/**
 * Reads the setting OFFLINE_TRANSLATIONS from environment variables. Throws an error that names a
 * malformed identifier.
 */
export const readOfflineTranslations = (env: NodeJS.ProcessEnv): OfflineTranslations =>
  parseOfflineTranslations(env['OFFLINE_TRANSLATIONS'] ?? defaultOfflineTranslations);

/** Parses the setting OFFLINE_TRANSLATIONS. Throws an error that names a malformed identifier. */
export function parseOfflineTranslations(list: string): OfflineTranslations {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const malformed = names.find((name) => !isTranslationIdentifier(name));
  if (malformed !== undefined)
    throw new Error(
      `OFFLINE_TRANSLATIONS names '${malformed}': use free, identifiers of translations, or both, separated by commas.`,
    );
  return { free: names.includes(freeKeyword), identifiers: new Set(names.filter((name) => name !== freeKeyword)) };
}

/**
 * Matches licences that let anybody distribute the text in another form: the public domain, CC0,
 * CC-BY and CC-BY-SA. Does not match licences that forbid changed forms (ND) or commercial use
 * (NC), because a public download cannot guarantee that.
 */
const freeLicence = /^(?:PD|CC0(?:-.+)?|CC-BY(?:-SA)?(?:-\d.*)?)$/i;

/** Returns true if the setting gives this translation offline packages. */
export const hasOfflinePackages = (
  { free, identifiers }: OfflineTranslations,
  { identifier, licence }: { identifier: string; licence: Licence },
): boolean => identifiers.has(identifier) || (free && freeLicence.test(licence.code));

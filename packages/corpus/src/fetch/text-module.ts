import type { DefaultTranslation } from '../default-translations';
import { isImportError } from '../import-error';
import { openModule } from '../sword/open-module';
import type { SourceModule } from './find-modules';

/** The module that a translation is made from. */
export const textModule = (translation: DefaultTranslation) =>
  ({
    identifier: translation.identifier,
    module: translation.module,
    debianPackage: translation.debianPackage,
    check: (conf: string) => faultOf(conf, translation.digest),
  }) satisfies SourceModule & { identifier: string };

/**
 * Null for a module that can be imported. Its known digest vouches for its bytes; of another version every
 * block is unpacked, for each carries its own checksum.
 */
function faultOf(conf: string, digest: string): string | null {
  try {
    const module = openModule(conf);
    if (module.testaments.length < 2) return 'it lacks a testament';
    if (module.digest !== digest) for (const entry of module.entries()) if (entry.text === '') return 'it is empty';
    return null;
  } catch (error) {
    if (isImportError(error)) return error.message;
    throw error;
  }
}

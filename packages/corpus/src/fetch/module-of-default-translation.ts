import type { DefaultTranslation } from '../defaults';
import { isImportError } from '../import-errors-and-remarks';
import { openModule } from '../sword/module';
import type { SourceModule } from './modules';

/** Returns the module of a default translation, with a check that the module can be imported. */
export const moduleOfTranslation = (translation: DefaultTranslation) =>
  ({
    identifier: translation.identifier,
    module: translation.module,
    debianPackage: translation.debianPackage,
    check: (conf: string) => reasonAgainst(conf, translation.digest),
  }) satisfies SourceModule & { identifier: string };

/**
 * Returns the reason why the module cannot be imported. Returns null if the module can be imported.
 * The known digest proves that the files are intact. A module with another digest is of another
 * version or damaged, so all of it is unpacked: zlib verifies a checksum of each block.
 */
function reasonAgainst(conf: string, digest: string): string | null {
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

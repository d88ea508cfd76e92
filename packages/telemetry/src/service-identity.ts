import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The name and the version of a process in metrics and traces. */
export interface ServiceIdentity {
  readonly service: string;
  /** Null if the process was not started from a package. */
  readonly version: string | null;
}

/**
 * Returns the identity of a process. The name is OTEL_SERVICE_NAME, or else `lectern-` and the name
 * of the process, or `lectern` for the process of this name. The version is that in the
 * package.json of the process's package.
 */
export function readServiceIdentity(processName: string, configuredName: string | undefined): ServiceIdentity {
  const serviceName = configuredName || (processName === 'lectern' ? processName : `lectern-${processName}`);
  return { service: serviceName, version: readPackageVersion(require.main?.filename) };
}

/** Reads the version of the package whose `dist` folder has the main file. */
function readPackageVersion(mainFile: string | undefined): string | null {
  if (mainFile === undefined) return null;
  try {
    const text = readFileSync(join(dirname(mainFile), '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

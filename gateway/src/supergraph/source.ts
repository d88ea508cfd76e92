import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { join } from 'node:path';
import { errorMessage, type Logger } from '@lectern/serving';

/** The copy of the last valid supergraph, for a gateway that starts while the registry does not respond. */
export interface SupergraphCopy {
  /** The path of the copy, for messages. */
  readonly file: string;
  /** Resolves with the text of the copy. Resolves with null if there is no readable copy. */
  read(): Promise<string | null>;
  /** Replaces the copy. A copy that cannot be written is reported, and changes nothing else. */
  write(text: string): Promise<void>;
}

/** The number of hexadecimal digits in the file name that stand for the URL. */
const digits = 12;

/**
 * Opens the copy of the supergraph at this URL. Each URL has its own file, because the gateways of two environments may
 * share a data folder.
 */
export function openSupergraphCopy(folder: string, url: string, log: Logger): SupergraphCopy {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, digits);
  const file = join(folder, `supergraph-${digest}.graphql`);
  return {
    file,
    read: () => readFile(file, 'utf8').catch(() => null),
    async write(text) {
      // The name is random, because processes in containers that share the folder may have the same process id.
      const part = `${file}.${randomUUID()}.part`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, text);
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        log.warn(
          { file, reason: errorMessage(error) },
          'the copy of the supergraph cannot be written: the gateway cannot start without its registry',
        );
      }
    },
  };
}

/**
 * Parses a setting with headers, such as SUPERGRAPH_HEADERS: `X-Hive-CDN-Key=abc,Accept-Language=en`. Values are
 * percent-decoded, as in OTEL_EXPORTER_OTLP_HEADERS. Returns the values by name in lower case. Throws an error that
 * does not quote the setting, because its values are secrets.
 */
export function parseSupergraphHeaders(
  setting: string,
  settingName = 'SUPERGRAPH_HEADERS',
): Readonly<Record<string, string>> {
  const pairs = setting
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair, index) => parsePair(pair, `${settingName}: pair ${index + 1}`)));
}

function parsePair(pair: string, position: string): [name: string, value: string] {
  const separator = pair.indexOf('=');
  const name = pair.slice(0, Math.max(separator, 0)).trim();
  try {
    const value = decodeURIComponent(pair.slice(separator + 1).trim());
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (value === '') throw new Error('a header without a value');
    return [name.toLowerCase(), value];
  } catch {
    throw new Error(
      `${position} is not a header such as X-Hive-CDN-Key=VALUE. Put commas between pairs, and write %2C for a comma and %25 for a percent sign in a value.`,
    );
  }
}

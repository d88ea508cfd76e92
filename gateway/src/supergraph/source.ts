import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@lectern/serving';
import { errorMessage } from '@lectern/serving';

/**
 * The copy of the last valid supergraph, for a gateway that starts while the registry does not
 * respond.
 */
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
 * Opens the copy of the supergraph at this URL. Each URL has its own file, because the gateways of
 * two environments may share a data folder.
 */
export function openSupergraphCopy(folder: string, url: string, log: Logger): SupergraphCopy {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, digits);
  const file = join(folder, `supergraph-${digest}.graphql`);
  return {
    file,
    read: () => readFile(file, 'utf8').catch(() => null),
    async write(text) {
      // The name is random, because processes in containers that share the folder may have the same
      // process id.
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

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { importError } from '../import-errors-and-remarks';
import { type GivenMetadata, resolveMetadata } from '../metadata';
import type { DraftTranslation } from '../translation';
import type { ParsedFile } from './collect-verses';
import { parseOsis } from './osis';
import { parseUsfx } from './usfx';
import { readRoot } from './xml';
import { parseZefania } from './zefania';

const formats: Readonly<Record<string, { name: string; parse: (file: string) => Promise<ParsedFile> }>> = {
  usfx: { name: 'USFX', parse: parseUsfx },
  osis: { name: 'OSIS', parse: parseOsis },
  xmlbible: { name: 'Zefania', parse: parseZefania },
};

/**
 * Imports one XML file. The root element decides the format: the file name does not matter for it.
 * Throws an ImportError if the file or its metadata cannot be used.
 */
export async function importXml(file: string, given: GivenMetadata): Promise<DraftTranslation> {
  const root = await readRoot(file);
  const format = formats[root.toLowerCase()];
  if (!format)
    throw importError(
      `${file} is not a Bible file: its root element is <${root}>; USFX (<usfx>), OSIS (<osis>) and Zefania (<XMLBIBLE>) are supported`,
    );
  const { found, verses, bookNames, remarks } = await format.parse(file);
  const { metadata, remarks: metadataRemarks } = resolveMetadata(basename(file), found, given);
  return {
    ...metadata,
    bookNames,
    verses,
    remarks: [...remarks, ...metadataRemarks],
    source: { format: format.name, name: basename(file), version: null, digest: await digestFile(file) },
  };
}

async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

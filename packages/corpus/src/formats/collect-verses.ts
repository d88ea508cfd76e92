import { createMarkupReader, type MarkupReader, type MarkupRules } from '../markup-reader';
import { type Position, readXml, type XmlHandler } from './read-xml';
import { type CollectedVerses, createVerseCollector, type VerseCollector } from './verse-collector';

/** Streams a file through a format's handler and gives the verses it began and ended. */
export async function collectVerses(
  file: string,
  rules: MarkupRules,
  makeHandler: (markup: MarkupReader, verses: VerseCollector, position: Position) => XmlHandler,
): Promise<CollectedVerses> {
  const markup = createMarkupReader(rules, { tags: true, raiseDivineName: true });
  let place: Position = () => file;
  const verses = createVerseCollector(markup, () => place());
  await readXml(file, (position) => {
    place = position;
    return makeHandler(markup, verses, position);
  });
  return verses.finish(file);
}

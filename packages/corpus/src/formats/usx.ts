import type { Attributes } from '../markup/reader';
import type { UsfmReader } from '../markup/usfm-reader';
import type { XmlHandler } from './xml';

/** The elements whose attribute `style` is a USFM marker. */
const styled = new Set(['para', 'char', 'note', 'cell', 'row', 'ms', 'figure', 'sidebar']);

/** Creates the handler of a file of USX 2 or 3, the form of USFM in XML, for one book. */
export function createUsxHandler(reader: UsfmReader, setTitle: (title: string) => void): XmlHandler {
  /** The USFM markers of the open elements. '' for an element without a marker. */
  const open: string[] = [];
  const markerOf = (name: string, attribute: Attributes): string => {
    if (name === 'row') return 'tr';
    if (name === 'sidebar') return 'esb';
    if (name === 'ref') return 'ref';
    return styled.has(name) ? attribute('style') : '';
  };
  return {
    open(name, attribute) {
      const marker = markerOf(name, attribute);
      open.push(marker);
      if (name === 'book') reader.book(attribute('code'));
      else if (name === 'chapter' && attribute('number') !== '') reader.chapter(attribute('number'));
      else if (name === 'verse' && attribute('number') !== '') reader.verse(attribute('number'));
      else if (name === 'verse' && attribute('eid') !== '') reader.endVerse();
      else if (name === 'optbreak') reader.text(' ');
      else if (name === 'periph') {
        reader.open(name);
        reader.text(attribute('alt'));
        reader.close(name);
      } else if (marker !== '')
        reader.open(marker, attribute, name === 'para' ? 'paragraph' : name === 'ms' ? 'milestone' : 'character');
    },
    close(name, ownText) {
      const marker = open.pop() ?? '';
      if (name === 'book') setTitle(ownText.trim());
      if (marker === 'h' || marker === 'toc2') reader.nameBook(ownText);
      if (name === 'sidebar') reader.open('esbe');
      else if (marker !== '' && name !== 'ms') reader.close(marker);
    },
    text: reader.text,
  };
}

import { readXml } from '@lectern/corpus';

/** An element of an XML file with its attributes and its contents. */
export interface XmlElement {
  readonly name: string;
  /** Returns '' for an absent attribute. */
  readonly attribute: (name: string) => string;
  readonly children: readonly (XmlElement | string)[];
}

type OpenElement = XmlElement & { readonly children: (XmlElement | string)[] };

/**
 * Reads all elements of one name from an XML file, in order. An element inside another one of the same name is only
 * returned as its child. Rejects with an ImportError that has the position of the error.
 */
export async function readElements(file: string, wanted: string): Promise<XmlElement[]> {
  const found: XmlElement[] = [];
  const open: OpenElement[] = [];
  await readXml(file, () => ({
    open(name, attribute) {
      if (name !== wanted && open.length === 0) return;
      const element: OpenElement = { name, attribute, children: [] };
      (open.at(-1)?.children ?? found).push(element);
      open.push(element);
    },
    close: () => void open.pop(),
    text: (text) => void open.at(-1)?.children.push(text),
  }));
  return found;
}

/** Returns the direct children of an element that have one of these names. */
export const childrenOf = ({ children }: XmlElement, ...names: readonly string[]): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && names.includes(child.name));

/** Returns the elements of a name inside an element, at every depth, in order. */
export const descendantsOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...descendantsOf(child, name)],
  );

/** Returns the text of an element on one line. */
export const textOf = (element: XmlElement): string => rawText(element).replace(/\s+/g, ' ').trim();

const rawText = ({ children }: XmlElement): string =>
  children.map((child) => (typeof child === 'string' ? child : rawText(child))).join('');

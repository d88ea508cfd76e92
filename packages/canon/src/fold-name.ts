/** Two spellings of one name fold to one text: width and ligatures (NFKC), case, accents, and runs of blanks are ignored. */
export function foldName(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A number of verses in words: "1 verse", "1,486 verses". */
export const formatVerseCount = (verses: number): string =>
  `${verses.toLocaleString()} ${verses === 1 ? 'verse' : 'verses'}`;
